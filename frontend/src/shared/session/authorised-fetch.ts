import { SessionUnconfirmedError } from '@lapwing/identity-client/errors'
import type { SessionKeeper } from '@lapwing/identity-client/session-keeper'

interface AuthorisedFetchDeps {
  /** Usually from `createApiFetch`. */
  readonly fetch: typeof globalThis.fetch
  readonly session: Pick<SessionKeeper, 'token' | 'refreshToken' | 'reauthenticate' | 'expire'>
}

/**
 * Creates a `fetch` for calls that need a session. After a 401 it exchanges the token and retries once. After
 * another 401 it confirms the session at the provider and retries once more. After a third it ends the
 * session as expired.
 *
 * Without a token it sends nothing and answers 401. If the provider cannot confirm the session now, it
 * answers 503 and the session stays.
 */
export function createAuthorisedFetch({ fetch, session }: AuthorisedFetchDeps): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const send = (token: string) => fetch(withBearer(request.clone(), token))
    /** Retries the call with a newer token, if there is one. */
    const again = async (refused: Response, newer: string | null) => {
      if (newer === null) return refused
      await refused.body?.cancel()
      return send(newer)
    }

    const token = await orUnconfirmed(session.token())
    if (token instanceof SessionUnconfirmedError) return problem(503, 'session.unconfirmed', token.message)
    if (token === null) return problem(401, 'session.missing', 'Session expired. Please sign in again.')
    const answer = await send(token)
    if (answer.status !== 401) return answer

    const newer = await orUnconfirmed(session.refreshToken(token))
    const secondAnswer = await again(answer, typeof newer === 'string' ? newer : null)
    if (secondAnswer.status !== 401) return secondAnswer

    const renewed = await orUnconfirmed(session.reauthenticate())
    if (renewed instanceof SessionUnconfirmedError) {
      await secondAnswer.body?.cancel()
      return problem(503, 'session.unconfirmed', renewed.message)
    }
    const thirdAnswer = await again(secondAnswer, renewed)
    if (thirdAnswer.status === 401) session.expire()
    return thirdAnswer
  }
}

interface OptionalFetchDeps {
  readonly fetch: typeof globalThis.fetch
  readonly session: Pick<SessionKeeper, 'token'>
}

/** Creates a `fetch` for calls that do not need a session. The bearer is empty if no token is available. */
export function createOptionalFetch(deps: OptionalFetchDeps): typeof globalThis.fetch {
  const { fetch, session } = deps
  return async (input, init) => {
    const token = await orUnconfirmed(session.token())
    return fetch(withBearer(new Request(input, init), typeof token === 'string' ? token : ''))
  }
}

async function orUnconfirmed(
  token: Promise<string | null>,
): Promise<string | null | SessionUnconfirmedError> {
  try {
    return await token
  } catch (error) {
    if (error instanceof SessionUnconfirmedError) return error
    throw error
  }
}

function withBearer(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** Returns the answer that a server would have sent (D-3). */
function problem(status: 401 | 503, code: string, detail: string): Response {
  const title = status === 401 ? 'Unauthorized' : 'Not available'
  const content = { type: 'about:blank', title, status, detail, code, request_id: '' }
  return new Response(JSON.stringify(content), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
}
