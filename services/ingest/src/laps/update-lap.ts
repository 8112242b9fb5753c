import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/ingest'
import { AppError } from '@lapwing/http'
import type { Deps } from '../deps.ts'
import { allowReference, findOwnLap } from './lap.repository.ts'
import { toMyLap } from './my-lap.ts'

/** Hides one's lap from being a reference, or shows it again. Its place on the boards stays. */
export function updateLap({ db, caller }: Pick<Deps, 'db' | 'caller'>): Handlers<operations>['updateLap'] {
  return async request => {
    const { userId } = await caller(request)
    const { lapId } = request.params
    await allowReference(db, { userId, lapId }, request.body.reference_allowed)
    const lap = await findOwnLap(db, { userId, lapId })
    if (lap === null) throw new AppError('ingest.lap_not_found')
    return toMyLap(lap)
  }
}
