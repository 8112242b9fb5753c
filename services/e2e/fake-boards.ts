import type { Page, Route } from 'playwright-core'
import { createFakeBoards, type FakeBoards } from '../../frontend/src/testing/fake-boards.ts'

/**
 * Puts upload, ingest and leaderboard behind the page that a test can bend: they answer from memory,
 * by their contracts, while page, gateway and accounts stay the real ones. For what the real services
 * cannot be made to do at will: a board of a thousand drivers, an entry that never comes.
 */
export async function fakeBoards(page: Page): Promise<FakeBoards> {
  const boards = createFakeBoards({ userOf: subjectOf })
  await page.context().route(/\/api\/(leaderboards|laps|tracks|v1\/upload)\b/, async route => {
    try {
      await fulfil(route, await boards.handle(asRequest(route)))
    } catch {
      // Refused, unless the window that asked is gone.
      await route.abort('connectionrefused').catch(() => {})
    }
  })
  return boards
}

/** Who a token says it is of; the gateway that would verify it is not asked. */
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
  // The window may have gone on meanwhile.
  await route.fulfill({ status: response.status, headers, body }).catch(() => {})
}
