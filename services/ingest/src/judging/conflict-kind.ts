/**
 * Why a file is listed for moderators. `file`: another account has its bytes; `driver`: another account has
 * its driver number; `other_number`: its account had another driver number.
 */
export type ConflictKind = 'file' | 'driver' | 'other_number'
