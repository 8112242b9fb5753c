/** How long a form is valid. */
export const FORM_MINUTES = 10

/** Open uploads of one account: valid forms that are not used yet. */
export const MAX_OPEN = 20

/** Prefix of every key. The bucket's other prefixes belong to other services. */
export const KEY_PREFIX = 'uploads/'
