import type { Deps, HandlerOf } from '../deps.ts'
import { findOwnNumbers } from './driver.repository.ts'
import { canUndo } from './undo-driver-number.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'now'>

/** Lists the driver numbers that the account has or claims. The answer names no other account. */
export function listDriverNumbers({ db, requirePrincipal, now }: Needs): HandlerOf<'listDriverNumbers'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const numbers = await findOwnNumbers(db, userId)
    return {
      ok: true as const,
      driver_numbers: numbers.map(number => ({
        sim: number.sim,
        driver_number: number.simUserId,
        bound_at: number.boundAt?.toISOString() ?? null,
        is_disputed: number.isDisputed,
        can_undo: number.boundAt === null || canUndo({ ...number, boundAt: number.boundAt }, now()),
      })),
    }
  }
}
