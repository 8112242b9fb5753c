import assert from 'node:assert/strict'
import { until } from '@lapwing/testing/until.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'

/** One window with the official client, and its requests. */
export interface ClientWindow {
  readonly page: Page
  /** Calls a method of the client, such as `passwords.create`, and returns its result. */
  readonly call: (method: string, ...args: readonly unknown[]) => Promise<Json>
  /** Calls a method that must fail, and returns its error. */
  readonly fail: (method: string, ...args: readonly unknown[]) => Promise<ClientError>
  /** Calls a synchronous method and returns its result. */
  readonly sync: (method: string, ...args: readonly unknown[]) => Promise<Json>
  /** Requests to identity so far, selected by the end of their path. */
  readonly sent: (pathEnd: string) => readonly SentRequest[]
  /** Names of the cookies that the page can read. */
  readonly cookieNames: () => Promise<readonly string[]>
  readonly storage: (suffix?: string) => Promise<string | null>
  /** Resolves once the client reports a session, or none. */
  readonly untilSignedIn: (isSignedIn: boolean) => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the client, the tests check their shapes.
export type Json = any

export interface ClientError {
  readonly name: string
  readonly message: string
  readonly error_type?: string
  readonly status_code?: number
  readonly error_message?: string
  readonly request_id?: string
}

export interface SentRequest {
  readonly method: string
  readonly body: Json
  /** Null if there is no answer yet, or none at all. */
  readonly status: () => Promise<number | null>
}

/** Opens a window of the context at `url` and waits for the client. */
export async function openClient(
  context: BrowserContext,
  url: string,
  publicToken: string,
): Promise<ClientWindow> {
  const page = await context.newPage()
  const requests: Request[] = []
  page.on('request', request => requests.push(request))
  await page.goto(url)

  const run = (how: 'await' | 'sync', method: string, args: readonly unknown[]) =>
    page.evaluate(
      async ({ how, method, args }) => {
        const names = method.split('.')
        const last = names.pop()!
        // biome-ignore lint/suspicious/noExplicitAny: the client, as the page made it.
        const owner = names.reduce((object, name) => object[name], (window as any).client)
        try {
          const answer = owner[last](...args)
          const value = how === 'await' ? await answer : answer
          return { value: JSON.parse(JSON.stringify(value ?? null)) }
        } catch (error) {
          const { name, message } = error as Error
          return { error: { ...(error as object), name, message } }
        }
      },
      { how, method, args: args as Json[] },
    ) as Promise<{ readonly value?: Json; readonly error?: ClientError }>

  async function succeed(how: 'await' | 'sync', method: string, args: readonly unknown[]): Promise<Json> {
    const { value, error } = await run(how, method, args)
    assert.equal(error, undefined, `${method} failed: ${JSON.stringify(error)}`)
    return value
  }

  return {
    page,
    call: (method, ...args) => succeed('await', method, args),
    sync: (method, ...args) => succeed('sync', method, args),
    async fail(method, ...args) {
      const { value, error } = await run('await', method, args)
      assert.ok(error, `${method} succeeded: ${JSON.stringify(value)}`)
      return error
    },
    sent: pathEnd =>
      requests
        .filter(
          request => request.method() !== 'OPTIONS' && new URL(request.url()).pathname.endsWith(pathEnd),
        )
        .map(request => ({
          method: request.method(),
          body: request.postDataJSON(),
          status: async () => (await request.response())?.status() ?? null,
        })),
    cookieNames: () =>
      page.evaluate(() =>
        document.cookie
          .split('; ')
          .map(cookie => cookie.split('=')[0]!)
          .filter(name => name !== '')
          .sort(),
      ),
    storage: (suffix = '') =>
      page.evaluate(key => localStorage.getItem(key), `stytch_sdk_state_${publicToken}${suffix}`),
    async untilSignedIn(isSignedIn) {
      await until(
        async () => ((await run('sync', 'session.getSync', [])).value !== null) === isSignedIn,
        `the client ${isSignedIn ? 'has' : 'has no'} session`,
      )
    },
  }
}
