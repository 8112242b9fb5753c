import type { Db, Trx } from './database.ts'
import type { EndedSession, Revocations } from './sessions/revocations.ts'

/** One change of the database, at one point in time. */
export interface Work {
  readonly trx: Trx
  readonly now: Date
  /** Sessions that this change ends; they are announced after the commit. */
  readonly ended: EndedSession[]
}

export type RunWork = <Result>(work: (work: Work) => Promise<Result>) => Promise<Result>

/** Creates a runner that runs a change in a transaction, and afterwards announces the sessions it ended. */
export function createRunWork(deps: { db: Db; revocations: Revocations; now: () => Date }): RunWork {
  return async work => {
    const ended: EndedSession[] = []
    const result = await deps.db.transaction().execute(trx => work({ trx, now: deps.now(), ended }))
    await deps.revocations.announce(ended)
    return result
  }
}
