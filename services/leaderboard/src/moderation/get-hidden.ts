import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import type { Deps } from '../deps.ts'
import { isHidden } from './hide.ts'

/** Returns whether a moderator hides a lap or its driver, so that ingest does not show it to others. */
export function getHidden({ db }: Deps): Handlers<operations>['getHidden'] {
  return async ({ query }) => ({
    hidden: await isHidden(db, { lapId: query.lap_id, userId: query.user_id }),
  })
}
