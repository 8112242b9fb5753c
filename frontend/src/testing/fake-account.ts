import type { FakeIdentity } from './fake-identity.ts'

/** An in-memory account service for tests, with the part of `openapi/account.yaml` that the page uses. */
export interface FakeAccount {
  /** Answers a call below `/api/v1/auth`. */
  handle(request: Request): Promise<Response>
  readonly calls: readonly {
    readonly method: string
    readonly path: string
    readonly headers: Headers
    readonly body: unknown
  }[]
  readonly usernames: Map<string, string>
  /** Sets the answer of the next call. */
  answerNext(answer: Response | { readonly network: true }): void
}

export function createFakeAccount(identity: Pick<FakeIdentity, 'userOf'>): FakeAccount {
  const usernames = new Map<string, string>()
  const consents = new Map<string, { waitlist: boolean; marketing: boolean }>()
  const calls: { method: string; path: string; headers: Headers; body: unknown }[] = []
  let next: Response | { readonly network: true } | null = null

  const nameOf = (user: string) => {
    if (!usernames.has(user)) usernames.set(user, `user${user.slice(-7)}`)
    return usernames.get(user)!
  }
  const isTaken = (name: string, user: string | null) =>
    ['taken-name', ...[...usernames].filter(([owner]) => owner !== user).map(([, other]) => other)].some(
      other => other.toLowerCase() === name.toLowerCase(),
    )

  return {
    calls,
    usernames,
    answerNext: answer => {
      next = answer
    },
    async handle(request) {
      const path = new URL(request.url).pathname.replace(/^\/api(\/v1)?\/auth/, '')
      const text = await request.text()
      const body = text === '' ? null : JSON.parse(text)
      calls.push({ method: request.method, path, headers: request.headers, body })
      const prepared = next
      next = null
      if (prepared instanceof Response) return prepared
      if (prepared) throw new TypeError('Failed to fetch')
      const user = identity.userOf((request.headers.get('authorization') ?? '').replace(/^Bearer ?/, ''))
      if (path.startsWith('/username/check/')) {
        const name = decodeURIComponent(path.slice('/username/check/'.length))
        const available = !isTaken(name, user)
        return Response.json({ available, valid: true, reason: available ? '' : 'Username is already taken' })
      }
      if (user === null) return problem(401, 'account.unauthorized', 'Sign in to go on.')
      if (path === '/username' && request.method === 'POST') {
        const name = String(body.username).trim()
        if (isTaken(name, user)) return problem(409, 'account.username_taken', 'Username is already taken')
        usernames.set(user, name)
      }
      if (path === '/username') {
        const username = nameOf(user)
        return Response.json({ username, is_default: /^user[a-z0-9]{7}$/i.test(username) })
      }
      if (path === '/consent') {
        if (request.method === 'POST') consents.set(user, body)
        const consent = consents.get(user) ?? { waitlist: false, marketing: false }
        return Response.json({
          ...consent,
          waitlist_position: consent.waitlist ? 42 : null,
          early_access: consent.waitlist,
        })
      }
      if (path === '/account' && request.method === 'DELETE') {
        if (body?.username !== nameOf(user)) {
          return problem(409, 'account.username_not_confirmed', 'Type your username to delete the account.')
        }
        return new Response(null, { status: 204 })
      }
      return problem(404, 'account.not_found', 'Nothing is at this address.')
    },
  }
}

function problem(status: number, code: string, detail: string): Response {
  return new Response(
    JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail, code, request_id: 'r' }),
    { status, headers: { 'content-type': 'application/problem+json' } },
  )
}
