import type { Page, Route } from 'playwright-core'
import { createFakeBoards, type FakeBoards } from '../../frontend/src/testing/fake-boards.ts'

/**
 * Replaces upload, ingest and leaderboard by answers from memory that a test controls, by their contracts.
 * Page, gateway and accounts stay real. For states that a test cannot cause in the real services: a board of
 * a thousand drivers, an entry that never comes.
 */
export async function fakeBoards(page: Page): Promise<FakeBoards> {
  const boards = createFakeBoards({ userOf: subjectOf })
  await page.context().route(/\/api\/(leaderboards|laps|tracks|v1\/upload)\b/, async route => {
    try {
      await fulfil(route, await boards.handle(asRequest(route)))
    } catch {
      // A refused connection, unless the window has closed.
      await route.abort('connectionrefused').catch(() => {})
    }
  })
  return boards
}

/** Returns the subject of a token, without verification, which the gateway would do. */
function subjectOf(token: string): string | null {
  const [, payload] = token.split('.')
  if (payload === undefined) return null
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub
}

function asRequest(route: Route): Request {
  const request = route.request()
  const body = request.postDataBuffer()
  return new Request(request.url(), {
    method: request.method(),
    headers: request.headers(),
    ...(body && { body: new Uint8Array(body) }),
  })
}

async function fulfil(route: Route, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const headers = Object.fromEntries(response.headers)
  // The window may have closed or left the page.
  await route.fulfill({ status: response.status, headers, body }).catch(() => {})
}
