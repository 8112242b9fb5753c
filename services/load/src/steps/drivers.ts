import type { operations as AccountOperations } from '@lapwing/contracts/account'
import type { components } from '@lapwing/contracts/identity'
import { ask, bodyOf } from './ask.ts'
import type { Answer, Http } from './http.ts'
import type { Target } from './target.ts'

/** A generated driver with an account. Plain data, because k6 hands it to its virtual users as JSON. */
export interface Driver {
  readonly index: number
  readonly email: string
  /** Address that the gateway counts limits by, if it trusts this client as a proxy. */
  readonly network: string
  readonly userId: string
  readonly sessionToken: string
  readonly jwt: string
  /** When the token was made, ms since 1970. */
  readonly tokenAtMs: number
}

/** Creates an account. `run` is the id of the run, `index` distinguishes its drivers. */
export async function signUp(http: Http, target: Target, run: string, index: number): Promise<Driver> {
  const email = `load.${run}.${index}@lapwing.test`
  const network = networkOf(run, index)
  const body = { email, password: PASSWORD, session_duration_minutes: SESSION_MINUTES }
  const answer = await askIdentity(http, target, { name: 'sign up', path: '/passwords', network, body })
  const { data } = bodyOf<{ data: components['schemas']['PasswordCreatedData'] }>(answer)
  return driverOf({ index, email, network }, http, data)
}

/** Signs the driver in with the password, as a new visit does. */
export async function signIn(http: Http, target: Target, driver: Driver): Promise<Driver> {
  const { email, network } = driver
  const body = { email, password: PASSWORD, session_duration_minutes: SESSION_MINUTES }
  const path = '/passwords/authenticate'
  const answer = await askIdentity(http, target, { name: 'sign in', path, network, body })
  const { data } = bodyOf<{ data: components['schemas']['AuthenticatedData'] }>(answer)
  return driverOf(driver, http, data)
}

/** Returns the driver with a token that is valid for another minute at least. The page renews it the same way. */
export async function keepSession(http: Http, target: Target, driver: Driver): Promise<Driver> {
  if (http.now() - driver.tokenAtMs < RENEW_AFTER_MS) return driver
  const { network, sessionToken: as } = driver
  const path = '/sessions/authenticate'
  const answer = await askIdentity(http, target, { name: 'renew session', path, network, as, body: {} })
  const { data } = bodyOf<{ data: components['schemas']['AuthenticatedData'] }>(answer)
  return driverOf(driver, http, data)
}

/** Deletes the account with all its laps and files, in every service. */
export async function deleteDriver(http: Http, target: Target, driver: Driver): Promise<void> {
  const { headers } = await keepSession(http, target, driver).then(asDriver)
  type Name = AccountOperations['getUsername']['responses'][200]['content']['application/json']
  const url = `${target.url}/api/v1/auth/username`
  const { username } = bodyOf<Name>(await ask(http, { name: 'username', method: 'GET', url, headers }, 200))
  const deletion = {
    name: 'delete account',
    method: 'DELETE',
    url: `${target.url}/api/v1/auth/account`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  } as const
  await ask(http, deletion, 204)
}

/** Returns the headers of a call by the signed-in driver. */
export function asDriver({ jwt, network }: Driver): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${jwt}`, 'x-forwarded-for': network } }
}

/** Passes every rule for passwords. */
const PASSWORD = 'four wet tyres in the rain'
const SESSION_MINUTES = 60
/** Tokens are valid for five minutes. */
const RENEW_AFTER_MS = 4 * 60_000

/**
 * Returns the driver's network. It is of 198.18.0.0/15, which is reserved for measurements: no real client or proxy
 * has it. Two runs within a minute hardly share one.
 */
function networkOf(run: string, index: number): string {
  const number = (Number.parseInt(run, 16) * 1_009 + index) % 2 ** 17
  return `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}

interface IdentityCall {
  readonly name: string
  readonly path: string
  readonly network: string
  /** Token of the session; without it the call needs none. */
  readonly as?: string
  readonly body: object
}

function askIdentity(http: Http, target: Target, call: IdentityCall): Promise<Answer> {
  const { publicToken, identityUrl } = target
  const { name, path, network, as = publicToken, body } = call
  return ask(
    http,
    {
      name,
      method: 'POST',
      url: `${identityUrl}/sdk/v1${path}`,
      headers: {
        authorization: `Basic ${http.base64(`${publicToken}:${as}`)}`,
        'content-type': 'application/json',
        'x-forwarded-for': network,
      },
      body: JSON.stringify(body),
    },
    200,
  )
}

function driverOf(
  { index, email, network }: Pick<Driver, 'index' | 'email' | 'network'>,
  http: Http,
  data: { readonly user_id: string; readonly session_token: string; readonly session_jwt: string },
): Driver {
  const { user_id: userId, session_token: sessionToken, session_jwt: jwt } = data
  return { index, email, network, userId, sessionToken, jwt, tokenAtMs: http.now() }
}
