/** 100 MB (D-17). */
export const MAX_FILE_BYTES = 104_857_600

/** How long a form is good. */
export const FORM_MINUTES = 10

/** Uploads a person may have under way: forms that are good and not used yet. */
export const MAX_OPEN = 20

/** First part of every key; the bucket's other prefixes are other services'. */
export const KEY_PREFIX = 'uploads/'
