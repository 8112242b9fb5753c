/**
 * Returns a `document.cookie` that behaves as a browser's: a write sets one cookie with attributes, a read
 * returns names and values.
 */
export function createCookieJar(nowMs: () => number = Date.now): {
  cookie: string
  /** All cookies that were ever set, with their attributes. */
  readonly written: string[]
} {
  const values = new Map<string, string>()
  const written: string[] = []
  return {
    written,
    get cookie() {
      return [...values].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text) {
      written.push(text)
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=')
      const end = attributes.find(attribute => attribute.startsWith('Expires='))?.slice('Expires='.length)
      if (end !== undefined && Date.parse(end) <= nowMs()) values.delete(name)
      else values.set(name, value)
    },
  }
}
