/** `document.cookie` as a browser has it: what is set is one cookie with its attributes, what is read are names and values. */
export function createCookieJar(nowMs: () => number = Date.now): {
  cookie: string
  /** Everything that was ever set, with its attributes. */
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
