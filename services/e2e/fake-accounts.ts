import type { Request as BrowserRequest, Page, Route } from 'playwright-core'
import { createFakeAccount, type FakeAccount } from '../../frontend/src/testing/fake-account.ts'
import { createFakeIdentity, type FakeIdentity } from '../../frontend/src/testing/fake-identity.ts'

/**
 * Puts accounts behind the page that a test can bend: the identity provider and the account service
 * answer from memory, by their contracts, while the page and the gateway stay the real ones. For what
 * the real services cannot be made to do at will, such as failing once.
 */
export async function fakeAccounts(page: Page): Promise<FakeAccounts> {
  const identity = createFakeIdentity({ nowMs: Date.now })
  const account = createFakeAccount(identity)
  const context = page.context()
  const config = { preview: 'browser', maps: false, version: 'test' }
  const provider = { baseUrl: '', publicToken: 'public-token-test-1' }
  await context.route('**/config.json', route => route.fulfill({ json: { ...config, identity: provider } }))
  let held: Promise<void> | null = null
  const passOn = (handle: (request: Request) => Promise<Response>) => async (route: Route) => {
    await held
    try {
      await fulfil(route, await handle(asRequest(route.request())))
    } catch {
      // Refused, unless the window that asked is gone.
      await route.abort('connectionrefused').catch(() => {})
    }
  }
  await context.route('**/sdk/v1/**', passOn(identity.handle))
  await context.route('**/api/v1/auth/**', passOn(account.handle))
  const starts: URL[] = []
  await context.route('**/v1/public/oauth/*/start?**', async route => {
    starts.push(new URL(route.request().url()))
    await route.fulfill({ contentType: 'text/html', body: '<title>Provider</title>' })
  })
  return {
    identity,
    account,
    starts,
    hold() {
      let release = () => {}
      held = new Promise(resolve => {
        release = resolve
      })
      return {
        release() {
          held = null
          release()
        },
      }
    },
  }
}

export interface FakeAccounts {
  readonly identity: FakeIdentity
  readonly account: FakeAccount
  /** Addresses of providers' start pages the browser was sent to. */
  readonly starts: readonly URL[]
  /** Nothing is answered until it is released, so that busy states can be seen. */
  readonly hold: () => { readonly release: () => void }
}

function asRequest(request: BrowserRequest): Request {
  const body = request.postDataBuffer()
  return new Request(request.url(), {
    method: request.method(),
    headers: request.headers(),
    ...(body && { body: new Uint8Array(body) }),
  })
}

async function fulfil(route: Route, response: Response): Promise<void> {
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  })
}
