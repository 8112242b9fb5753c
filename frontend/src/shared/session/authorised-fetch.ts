import type { SessionKeeper } from './session-keeper.ts'

export interface AuthorisedFetchDeps {
  /** Usually of `createApiFetch`. */
  readonly fetch: typeof globalThis.fetch
  readonly session: Pick<SessionKeeper, 'token' | 'refreshToken' | 'reauthenticate' | 'expire'>
}

/**
 * A `fetch` for calls that need a signed-in person. A refused token (401) is exchanged and the call
 * repeated once; refused again, the session itself is confirmed anew and the call repeated once more;
 * refused even then, the session is forgotten and has expired. Without a token nothing is sent, and
 * the answer is a 401 all the same.
 */
export function createAuthorisedFetch({ fetch, session }: AuthorisedFetchDeps): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const send = (token: string) => fetch(withBearer(request.clone(), token))
    /** The same call with a newer token, where there is one. */
    const again = async (refused: Response, newer: string | null) => {
      if (newer === null) return refused
      await refused.body?.cancel()
      return send(newer)
    }

    const token = await session.token()
    if (token === null) return notSignedIn()
    const answer = await send(token)
    if (answer.status !== 401) return answer

    const secondAnswer = await again(answer, await session.refreshToken(token))
    if (secondAnswer.status !== 401) return secondAnswer

    const thirdAnswer = await again(secondAnswer, await session.reauthenticate())
    if (thirdAnswer.status === 401) session.expire()
    return thirdAnswer
  }
}

/** A `fetch` for calls that anybody may make: the bearer is empty where nobody is signed in. */
export function createOptionalFetch({
  fetch,
  session,
}: {
  readonly fetch: typeof globalThis.fetch
  readonly session: Pick<SessionKeeper, 'token'>
}): typeof globalThis.fetch {
  return async (input, init) => fetch(withBearer(new Request(input, init), (await session.token()) ?? ''))
}

function withBearer(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** The answer a server would have given (D-3). */
function notSignedIn(): Response {
  const problem = {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'Session expired. Please sign in again.',
    code: 'session.missing',
    request_id: '',
  }
  return new Response(JSON.stringify(problem), {
    status: 401,
    headers: { 'content-type': 'application/problem+json' },
  })
}
