/**
 * Name of the cookie that identifies a browser which signed in before. Over https it has the prefix
 * `__Host-`. identity sets and reads it; the gateway counts by it.
 */
export const BROWSER_COOKIE = 'lapwing-browser'

/** Matches a value that identity can have set: 256 random bits in base64url. */
export const BROWSER_SECRET = /^[\w-]{43}$/
