import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { FileCombination, JudgedLap } from '../judging/judged-file.ts'
import type { ReviewedLap } from '../laps/lap.repository.ts'
import type { StandingKey } from '../standings/standing.repository.ts'
import { areChangeable, areFixed, areNew, type KnownGears } from './odd-gears.ts'

/** The car of a file. */
type Car = Pick<FileCombination, 'sim' | 'car_slug'>

/**
 * Finds laps with gears that nobody has shown of their car, among those of one file that count. Returns their
 * ids.
 */
export async function findOddGears(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  { sim, car_slug }: Car,
  laps: readonly JudgedLap[],
): Promise<ReadonlySet<string>> {
  const geared = laps.filter(lap => lap.counts && lap.gearRatios.size > 0)
  if (geared.length === 0) return new Set()
  const onBoard = await findGears(trx, userId, sql`gear_set.board_id = ${combinationId}`)
  const odd = geared.filter(lap => areNew(lap.gearRatios, onBoard))
  if (odd.length === 0 || !areFixed(onBoard)) return new Set()
  const elsewhere = sql<boolean>`gear_set.sim = ${sim} and gear_set.car_slug = ${car_slug}
    and gear_set.board_id <> ${combinationId}`
  if (areChangeable(onBoard, await findGears(trx, userId, elsewhere))) return new Set()
  return new Set(odd.map(lap => lap.id))
}

/** Of a car on all its boards. */
const MOST_READ = 2_000

/**
 * Returns the known gears: of laps of accounts that can vote, of the driver's own laps, and of laps that a
 * moderator released. All accounts without a known network are one witness together.
 */
async function findGears(
  trx: Transaction<Database>,
  userId: string,
  which: RawBuilder<unknown>,
): Promise<readonly KnownGears[]> {
  const { rows } = await sql<{ ratios: StoredRatios; witness: string | null }>`
    select gear_set.ratios, case when lap.review is null and person.can_vote
      then coalesce(encode(person.network, 'hex'), '') end as witness
    from gear_set join lap on lap.id = gear_set.lap_id
      left join person on person.user_id = gear_set.user_id
    where ${which} and lap.counts and (lap.review = 'released'
      or lap.review is null and (person.can_vote or gear_set.user_id = ${userId}))
    order by gear_set.lap_id limit ${MOST_READ}`.execute(trx)
  return rows.map(({ ratios, witness }) => ({ ratios: new Map(ratios), witness }))
}

/** JSON of `GearRatios`. */
type StoredRatios = readonly (readonly [number, { readonly median: number; readonly spread: number }])[]

/**
 * Stores gears of a file, if a lap that counts shows any: of its fastest lap, and of its fastest held one, which
 * counts once a moderator has released it. A driver has few laps on a board, and the first drivers of a board
 * stay, so that new accounts cannot push them out.
 */
export async function storeGears(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  { sim, car_slug }: Car,
  laps: readonly ReviewedLap[],
): Promise<void> {
  const fastest = laps
    .filter(lap => lap.counts && lap.gearRatios.size > 0)
    .toSorted((a, b) => a.timeMs! - b.timeMs!)
  const shown = fastest.find(lap => lap.review === null)
  const held = fastest.find(lap => lap.review === 'held')
  const store = (lap: ReviewedLap, isWanted: RawBuilder<unknown>) =>
    sql`insert into gear_set (lap_id, user_id, board_id, sim, car_slug, ratios)
      select ${lap.id}, ${userId}, ${combinationId}, ${sim}, ${car_slug}, ${JSON.stringify([...lap.gearRatios])}::jsonb
      where ${isWanted} on conflict do nothing`.execute(trx)
  const ofDriver = sql`from gear_set join lap on lap.id = gear_set.lap_id
    where gear_set.board_id = ${combinationId} and gear_set.user_id = ${userId}`
  if (shown !== undefined) {
    await store(
      shown,
      sql`(select count(*) ${ofDriver} and lap.review is null and lap.counts) < ${MOST_SHOWN}
        and (select count(*) from gear_set where board_id = ${combinationId}) < ${MOST_A_BOARD}`,
    )
  }
  if (held !== undefined) {
    await store(held, sql`(select count(*) ${ofDriver} and lap.review is not null) < ${MOST_HELD}`)
  }
}

const MOST_A_BOARD = 200
/** Laps of a driver on a board. */
const MOST_SHOWN = 3
const MOST_HELD = 10
