import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** Hashes synchronously; runs in a thread of `createHashThreads`. */
export function hashPassword({ password, parameters }: { password: string; parameters: Options }): string {
  return hashSync(password, parameters)
}

export function verifyPassword({ stored, password }: { stored: string; password: string }): boolean {
  return verifySync(stored, password)
}
