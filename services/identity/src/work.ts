import type { Db, Trx } from './database.ts'
import type { EndedSession, Revocations } from './sessions/revocations.ts'

/** One change of the database, seen as happening at one moment. */
export interface Work {
  readonly trx: Trx
  readonly now: Date
  /** Sessions that end with this change; they are announced once it is committed. */
  readonly ended: EndedSession[]
}

export type RunWork = <Result>(work: (work: Work) => Promise<Result>) => Promise<Result>

/** Runs a change in a transaction and afterwards tells the world which sessions it ended. */
export function createRunWork(deps: { db: Db; revocations: Revocations; now: () => Date }): RunWork {
  return async work => {
    const ended: EndedSession[] = []
    const result = await deps.db.transaction().execute(trx => work({ trx, now: deps.now(), ended }))
    await deps.revocations.announce(ended)
    return result
  }
}
