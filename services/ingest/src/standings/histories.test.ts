import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { acquireAccountLock } from '@lapwing/db'
import fc from 'fast-check'
import { forgetLap } from '../laps/lap.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { recordFile } from '../test/record-file.ts'
import { refreshStanding } from './standing.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

interface Lap {
  readonly timeMs: number
  readonly isClean: boolean
  readonly counts: boolean
}

type Step =
  | { readonly kind: 'bring'; readonly laps: readonly Lap[] }
  | { readonly kind: 'bring again'; readonly which: number }
  | { readonly kind: 'delete'; readonly which: number }

// Few times, so that equal ones are common.
const lap = fc.record({ timeMs: fc.integer({ min: 1, max: 6 }), isClean: fc.boolean(), counts: fc.boolean() })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bring'), laps: fc.array(lap, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bring again'), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), which: fc.nat() }) },
)

/** A lap of the model, in the order of recording. */
interface Kept extends Lap {
  readonly id: string
}

function best(laps: readonly Kept[], board: 'complete' | 'clean'): string | null {
  const able = laps.filter(one => one.counts && (board === 'complete' || one.isClean))
  // The first of equal times: sorting is stable.
  return able.toSorted((a, b) => a.timeMs - b.timeMs)[0]?.id ?? null
}

test('keeps the best remaining laps as the standing after any history of files, repeats and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const userId = `driver-${randomUUID()}`
      const files: { readonly seed: string; readonly laps: readonly Lap[] }[] = []
      let kept: readonly Kept[] = []
      const deletable: string[] = []
      for (const each of steps) {
        const before = { complete: best(kept, 'complete'), clean: best(kept, 'clean') }
        if (each.kind === 'delete') {
          if (deletable.length === 0) continue
          const id = deletable[each.which % deletable.length]!
          await forget(userId, id)
          kept = kept.filter(one => one.id !== id)
        } else {
          const isAgain = each.kind === 'bring again'
          if (isAgain && files.length === 0) continue
          const file = isAgain ? files[each.which % files.length]! : { seed: randomUUID(), laps: each.laps }
          const { outcome, ids } = await bring(userId, file)
          if (!isAgain) {
            files.push(file)
            kept = [...kept, ...file.laps.map((one, index) => ({ ...one, id: ids[index]! }))]
            deletable.push(...ids)
          }
          const now = { complete: best(kept, 'complete'), clean: best(kept, 'clean') }
          const boards = (['complete', 'clean'] as const).filter(board => now[board] !== before[board])
          if (isAgain) assert.deepEqual(outcome, { skipped: 'already_ingested' })
          else if (boards.length > 0) {
            assert.deepEqual([outcome.boards, outcome.lap_id], [boards, now[boards[0]!]])
          } else {
            const why = file.laps.some(one => one.counts) ? 'not_faster' : 'no_complete_lap'
            assert.equal(outcome.skipped, why)
          }
        }
        const standing = await service.db
          .selectFrom('standing')
          .select(['complete_lap_id', 'clean_lap_id'])
          .where('user_id', '=', userId)
          .executeTakeFirst()
        assert.equal(standing?.complete_lap_id ?? null, best(kept, 'complete'))
        assert.equal(standing?.clean_lap_id ?? null, best(kept, 'clean'))
      }
    }),
    { numRuns: 60 },
  )
})

async function bring(
  userId: string,
  { seed, laps }: { readonly seed: string; readonly laps: readonly Lap[] },
) {
  const { ingest, ids } = await recordFile(service.db, userId, {
    seed,
    laps: laps.map(lap => ({ ...lap, isCompleted: lap.counts })),
  })
  assert.notEqual(ingest.state, 'running')
  return { outcome: ingest.outcome!, ids }
}

async function forget(userId: string, id: string): Promise<void> {
  await service.db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    const found = await forgetLap(trx, { userId, lapId: id })
    assert.ok(found)
    await refreshStanding(trx, { userId, combinationId: found.combinationId })
  })
}
