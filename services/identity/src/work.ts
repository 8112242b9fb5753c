import type { Db, Trx } from './database.ts'
import type { EndedSession, Revocations } from './sessions/revocations.ts'

/** One change of the database, at one point in time. */
export interface Work {
  readonly trx: Trx
  readonly now: Date
  readonly secondFactor: SecondFactorPolicy
  /** Sessions that this change ends; they are announced after the commit. */
  readonly ended: EndedSession[]
}

/** Whether an account can have a second factor, or needs one. */
export type SecondFactorPolicy = 'offered' | 'required'

export type RunWork = <Result>(work: (work: Work) => Promise<Result>) => Promise<Result>

/** Creates a runner that runs a change in a transaction, and afterwards announces the sessions it ended. */
export function createRunWork(deps: {
  db: Db
  revocations: Revocations
  secondFactor: SecondFactorPolicy
  now: () => Date
}): RunWork {
  return async work => {
    const ended: EndedSession[] = []
    const result = await deps.db
      .transaction()
      .execute(trx => work({ trx, now: deps.now(), secondFactor: deps.secondFactor, ended }))
    await deps.revocations.announce(ended)
    return result
  }
}
