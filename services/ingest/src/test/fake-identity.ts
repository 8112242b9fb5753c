import type { PersonFacts } from '../clients/identity-client.ts'
import { type InternalServer, serveInternal } from './serve.ts'

export interface FakeIdentity extends InternalServer {
  /** Exceptions: all other accounts are verified and a month old. Null: identity does not know it. */
  readonly people: Map<string, PersonFacts | null>
  /** `well` answers, `failing` answers 503, `odd` answers nonsense. */
  mood: 'well' | 'failing' | 'odd'
  readonly asked: () => number
}

/** Starts a fake of identity's internal routes, whose faults a test can set. */
export async function startFakeIdentity(): Promise<FakeIdentity> {
  let asked = 0
  const server = await serveInternal('identity', async ({ path }) => {
    asked++
    if (fake.mood === 'failing') return { status: 503 }
    if (fake.mood === 'odd') return { status: 200, body: { people: [{ user_id: 1 }] } }
    const userIds = new URL(path, 'http://identity').searchParams.getAll('user_id')
    const people = userIds.flatMap(userId => {
      const known = fake.people.get(userId)
      const facts = known === undefined ? { isVerified: true, createdAt: daysAgo(30) } : known
      if (facts === null) return []
      return [{ user_id: userId, created_at: facts.createdAt.toISOString(), is_verified: facts.isVerified }]
    })
    return { status: 200, body: { people } }
  })
  const fake: FakeIdentity = { ...server, people: new Map(), mood: 'well', asked: () => asked }
  return fake
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000)
}
