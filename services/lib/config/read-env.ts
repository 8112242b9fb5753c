import { isIP } from 'node:net'

/**
 * Reads a service's configuration once into a frozen, typed object. An empty variable counts as missing.
 * Throws a `ConfigError` with all problems, so that an operator can fix them before the next start.
 */
export function readEnv<Spec extends Record<string, Variable<unknown>>>(
  spec: Spec,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<{ [Key in keyof Spec]: Spec[Key] extends Variable<infer Value> ? Value : never }> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [key, variable] of Object.entries(spec)) {
    const text = env[variable.name]
    if (text === undefined || text === '') {
      if (variable.fallback === undefined) {
        problems.push(`${variable.name} is missing: ${variable.about} For example: ${variable.example}`)
      } else {
        values[key] = variable.fallback.value
      }
      continue
    }
    const parsed = variable.parse(text)
    if ('problem' in parsed) {
      problems.push(`${variable.name} ${parsed.problem}: ${variable.about} For example: ${variable.example}`)
    } else {
      values[key] = parsed.value
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(values) as never
}

/**
 * All problems of the environment, one sentence a variable. Never holds a value, because it may be a secret.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n- ${problems.join('\n- ')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** One environment variable: its name, description, example, fallback and parser. */
export interface Variable<Value> {
  readonly name: string
  readonly about: string
  readonly example: string
  readonly fallback?: { readonly value: Value }
  readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string }
}

/** A variable without a fallback is required. The example is the fallback, unless another one says more. */
type About<Value> = { readonly about: string } & (
  | { readonly example: string; readonly fallback?: Value }
  | { readonly example?: string; readonly fallback: Value }
)

export function text(name: string, about: About<string>): Variable<string> {
  return variable(name, about, value => ({ value }))
}

/** Returns the variable with null as its fallback. */
export function optional<Value>({ fallback: _none, ...rest }: Variable<Value>): Variable<Value | null> {
  return { ...rest, fallback: { value: null } }
}

/** A whole number from `min` to `max`, both included. */
export function integer(
  name: string,
  { min, max, ...about }: About<number> & { readonly min: number; readonly max: number },
): Variable<number> {
  return variable(name, about, value => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      return { problem: `must be a whole number from ${min} to ${max}` }
    }
    return { value: number }
  })
}

export function oneOf<const Choice extends string>(
  name: string,
  { choices, ...about }: About<Choice> & { readonly choices: readonly Choice[] },
): Variable<Choice> {
  return variable(name, about, value => {
    const choice = choices.find(candidate => candidate === value)
    return choice === undefined ? { problem: `must be one of ${choices.join(', ')}` } : { value: choice }
  })
}

export function flag(name: string, about: About<boolean>): Variable<boolean> {
  return variable(name, about, value => {
    if (value === 'true') return { value: true }
    if (value === 'false') return { value: false }
    return { problem: 'must be true or false' }
  })
}

/** A key of 32 bytes, in base64. */
export function base64Key(name: string, about: About<Buffer>): Variable<Buffer> {
  return variable(name, about, value => {
    const bytes = Buffer.from(value, 'base64')
    return bytes.length === 32 ? { value: bytes } : { problem: 'must be 32 bytes in base64' }
  })
}

/** An absolute address with one of the given schemes, such as `http:` or `postgres:`. */
export function url(
  name: string,
  { schemes, ...about }: About<URL> & { readonly schemes: readonly string[] },
): Variable<URL> {
  return variable(name, about, value => {
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed === null || !schemes.includes(parsed.protocol)) {
      return {
        problem: `must be an address that begins with ${schemes.map(scheme => `${scheme}//`).join(' or ')}`,
      }
    }
    return { value: parsed }
  })
}

/** IP addresses and networks such as `10.0.0.0/8`, separated by commas; `none` is an empty list. */
export function networks(name: string, about: About<readonly string[]>): Variable<readonly string[]> {
  return variable(name, about, value => {
    if (value === 'none') return { value: [] }
    const list = value.split(',').map(item => item.trim())
    return list.every(isNetwork)
      ? { value: list }
      : { problem: 'must be IP addresses or networks, separated by commas, or none' }
  })
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function variable<Value>(
  name: string,
  about: About<Value>,
  parse: Variable<Value>['parse'],
): Variable<Value> {
  const base = { name, about: about.about, example: about.example ?? String(about.fallback), parse }
  return about.fallback === undefined ? base : { ...base, fallback: { value: about.fallback } }
}
