/** A country of a phone number: two letters of ISO 3166, and the digits of its calling code. */
export interface Country {
  readonly code: string
  readonly dialCode: string
}

/** What reads phone numbers. It can be slow or fail, because it loads with the first phone field. */
export interface PhoneRules {
  /** Reads a number of the country, or of any with a plus. `number` is E.164. */
  parse(typed: string, country: string): Promise<Parsed>
  /** Returns the number as the country writes it, and the country of one with a plus. */
  format(typed: string, country: string): Promise<Formatted>
  /** Returns the countries with these codes; all if there are none. */
  countries(codes: readonly string[]): Promise<readonly Country[]>
}

export interface Parsed {
  readonly isValid: boolean
  readonly number: string
  readonly country: string
}

export interface Formatted {
  readonly national: string
  readonly country: string
}

export const DEFAULT_COUNTRY: Country = { code: 'US', dialCode: '1' }

/** Milliseconds for the rules, when a number is sent and while it is typed. */
const SUBMIT_MS = 2_000
const TYPING_MS = 10_000

/** Reads numbers with these rules. Neither call rejects, and each ends in time. */
export function createPhoneParser(load: () => Promise<PhoneRules>) {
  return {
    /**
     * Returns the number in E.164. If the rules are late or fail, the digits behind the calling code count as
     * valid: the server knows more.
     */
    async read(typed: string, country: Country): Promise<Pick<Parsed, 'isValid' | 'number'>> {
      const raw = { isValid: true, number: `+${country.dialCode}${typed.replace(/\D/g, '')}` }
      return within(SUBMIT_MS, async () => (await load()).parse(typed, country.code), raw)
    },
    /** Returns the number as its country writes it. If the rules are late or fail, it is the typed text. */
    format: (typed: string, country: Country): Promise<Formatted> =>
      within(TYPING_MS, async () => (await load()).format(typed, country.code), {
        national: typed,
        country: country.code,
      }),
    /** Returns the countries to choose from, the default alone if the rules do not load. */
    countries: (codes: readonly string[]): Promise<readonly Country[]> =>
      within(TYPING_MS, async () => (await load()).countries(codes), [DEFAULT_COUNTRY]),
  }
}

export type PhoneParser = ReturnType<typeof createPhoneParser>

/** Returns the value of the work, or the fallback after a failure or too long a time. */
async function within<Value>(ms: number, work: () => Promise<Value>, fallback: Value): Promise<Value> {
  const { promise: late, resolve } = Promise.withResolvers<Value>()
  const timer = setTimeout(() => resolve(fallback), ms)
  try {
    return await Promise.race([work(), late])
  } catch {
    return fallback
  } finally {
    clearTimeout(timer)
  }
}
