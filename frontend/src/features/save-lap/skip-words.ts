import { formatCount } from '#shared/format/count.ts'
import { LAP_SAVED } from './settled-save.ts'

/** Says that only the fastest laps of a file are stored; empty if all are. */
export function leftOutWords(leftOut: number | undefined): string {
  if (leftOut === undefined) return ''
  const laps = leftOut === 1 ? '1 slower lap' : `${formatCount(leftOut)} slower laps`
  return `. ${laps} of this file ${leftOut === 1 ? 'is' : 'are'} not kept: the fastest 2,000 are.`
}

/** Says why the best lap of a file was not saved. The text stays true if a saved lap is deleted later. */
export function skipWords(reason: string): string {
  return skips.get(reason) ?? 'Your fastest lap is saved already'
}

const skips: ReadonlyMap<string, string> = new Map([
  ['no_complete_lap', 'No complete lap to save'],
  ['not_faster', 'No faster than your lap on the leaderboard'],
  ['already_ingested', 'This file was saved before'],
  [LAP_SAVED, 'Its best lap was saved before'],
  ['held_for_review', 'Your lap is held for review'],
])
