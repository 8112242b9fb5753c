import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { createDb } from '@lapwing/db'
import type { Kysely } from 'kysely'
import { loadDatabaseConfig } from './config.ts'
import { forgetCorners } from './corners/corner.repository.ts'
import type { Database } from './database.ts'
import { findDisputedNumbers } from './drivers/driver.repository.ts'
import { forgetFingerprint } from './fingerprints/fingerprint.repository.ts'
import { listLapConflicts } from './moderation/lap-copies.ts'
import { locateTrackAt, locateTrackOfLap } from './moderation/locate-track.ts'
import { findLocationConflicts } from './moderation/location-conflicts.ts'
import { bindDriver, listConflicts, releaseDriver, releaseFile } from './moderation/ownership.ts'
import { readTrackLocation } from './moderation/read-track-location.ts'
import { decideLap, listHeldLaps } from './moderation/review-laps.ts'
import type { Decision } from './review/review.ts'
import type { TrackLocation } from './tracks/track-location.ts'

const USAGE = `node src/moderate.ts conflicts
node src/moderate.ts disputed-drivers
node src/moderate.ts bind-driver <simulator> <driver number> <user id>
node src/moderate.ts release-driver <simulator> <driver number>
node src/moderate.ts release-file <sha256>
node src/moderate.ts release-fingerprint <lap id>
node src/moderate.ts held
node src/moderate.ts release-lap <lap id> <moderator> <reason>
node src/moderate.ts refuse-lap <lap id> <moderator> <reason>
node src/moderate.ts place-conflicts
node src/moderate.ts place-track <lap id>
node src/moderate.ts place-track-at <simulator> <track> <layout> <degrees north> <degrees east> <metres of a lap>
node src/moderate.ts forget-corners <simulator> <track> <layout>`

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const DECISIONS = { 'release-lap': 'released', 'refuse-lap': 'refused' } as const

const DECISION_MESSAGES = {
  before: (decision: Decision) => `the lap is ${decision} already`,
  not_held: () => 'the lap is not held',
  unknown: () => 'there is no such lap',
} as const
const DRIVER_NUMBER = /^\d{1,16}$/

/** Exits with 1 if there was nothing to do, and with 2 after printing the usage. */
await runOperatorCommand(async () => {
  const { databaseUrl } = loadDatabaseConfig(process.env)
  const db = createDb<Database>({ url: databaseUrl.href, schema: 'ingest', poolSize: 1 })
  try {
    return await run(db, process.argv.slice(2))
  } finally {
    await db.destroy()
  }
})

async function run(db: Kysely<Database>, [name = '', ...args]: readonly string[]): Promise<number> {
  const [first = '', second = '', third = ''] = args
  if (name === 'conflicts' && args.length === 0) {
    for (const conflict of await listConflicts(db, 50)) {
      const { at, kind, userId, ownerUserId, sha256, simUserId, otherNumbers } = conflict
      const numbers = [simUserId ?? 'unknown', ...otherNumbers.map(number => `bound to ${number}`)].join(', ')
      console.log(
        `${at.toISOString()} ${kind} of ${ownerUserId}, brought by ${userId}: driver ${numbers}, ${sha256}`,
      )
    }
    for (const { at, userId, ingestId, ownerUserId, ownerLapId } of await listLapConflicts(db, 50)) {
      console.log(
        `${at.toISOString()} lap ${ownerLapId} of ${ownerUserId}, brought by ${userId}: ingest ${ingestId}`,
      )
    }
    return 0
  }
  if (name === 'disputed-drivers' && args.length === 0) {
    for (const { sim, simUserId, claims } of await findDisputedNumbers(db, 50)) {
      console.log(`driver ${simUserId} of ${sim}`)
      for (const { userId, claimedAt, isVerified, isBound } of claims) {
        const state = `${isBound ? 'bound' : 'not bound'}, ${isVerified ? 'verified' : 'not verified'}`
        console.log(`  ${userId}: ${state}, since ${claimedAt}`)
      }
    }
    return 0
  }
  const number = { sim: first, simUserId: second }
  if (name === 'bind-driver' && args.length === 3 && DRIVER_NUMBER.test(second)) {
    const isBound = await bindDriver(db, number, third)
    return report(isBound, 'bound', 'there is no such account, or it has saved no lap')
  }
  if (name === 'release-driver' && args.length === 2) return reportReleased(await releaseDriver(db, number))
  if (name === 'release-file' && args.length === 1 && /^[0-9a-f]{64}$/i.test(first)) {
    return reportReleased(await releaseFile(db, Buffer.from(first, 'hex')))
  }
  if (name === 'release-fingerprint' && args.length === 1 && UUID.test(first)) {
    return reportReleased(await forgetFingerprint(db, first))
  }
  if (name === 'held' && args.length === 0) {
    for (const { at, lapId, userId, timeMs, board, reasons } of await listHeldLaps(db, 50)) {
      console.log(
        `${at.toISOString()} ${lapId} of ${userId}: ${timeMs} ms on ${board}, ${reasons.join(', ')}`,
      )
    }
    return 0
  }
  const decision = Object.hasOwn(DECISIONS, name) ? DECISIONS[name as keyof typeof DECISIONS] : null
  if (decision !== null && UUID.test(first) && isNameAndReason(args.slice(1))) {
    const decided = await decideLap(db, first, { decision, by: second, why: args.slice(2).join(' ') })
    console.log(decided === 'now' ? decision : DECISION_MESSAGES[decided](decision))
    return decided === 'now' || decided === 'before' ? 0 : 1
  }
  if (name === 'place-conflicts' && args.length === 0) {
    for (const { track, location, laps, votes } of await findLocationConflicts(db, 50)) {
      console.log(`${track.sim} ${track.track_slug} ${track.layout}: located at ${formatLocation(location)}`)
      console.log(
        `  laps elsewhere: ${laps.count}${laps.example === null ? '' : `, such as ${laps.example}`}`,
      )
      for (const vote of votes) console.log(`  vote for ${formatLocation(vote)}`)
    }
    return 0
  }
  if (name === 'place-track' && args.length === 1 && UUID.test(first)) {
    const isLocated = await locateTrackOfLap(db, first)
    return report(
      isLocated,
      'the track is now where this lap was driven',
      'there is no such lap, or it has no location',
    )
  }
  if (name === 'forget-corners' && args.length === 3) {
    const [sim, track_slug, layout] = args as [string, string, string]
    const areForgotten = await db
      .transaction()
      .execute(trx => forgetCorners(trx, { sim, track_slug, layout }))
    return report(areForgotten, 'the corners will be found again', 'no track of that name has corners')
  }
  const location = readTrackLocation(args.slice(3))
  if (name === 'place-track-at' && args.length === 6 && location !== null) {
    const [sim, track_slug, layout] = args as [string, string, string]
    const isLocated = await locateTrackAt(db, { sim, track_slug, layout }, location)
    return report(isLocated, 'the track is now there', 'there is no track of that name')
  }
  console.error(USAGE)
  return 2
}

/** Returns whether the words are a moderator's name and a reason, of at most 2,000 characters. */
function isNameAndReason(words: readonly string[]): boolean {
  return words.length >= 2 && words.every(word => word.trim() !== '') && words.join(' ').length <= 2_000
}

/** Formats a location as `place-track-at` accepts it. */
function formatLocation({ lat, lon, lengthM }: TrackLocation): string {
  return `${lat.toFixed(6)} ${lon.toFixed(6)} ${lengthM.toFixed(1)}`
}

/** Prints the result and returns the exit code. */
function report(isDone: boolean, done: string, nothing: string): number {
  console.log(isDone ? done : nothing)
  return isDone ? 0 : 1
}

function reportReleased(wasReleased: boolean): number {
  return report(wasReleased, 'released', 'there is nothing to release')
}
