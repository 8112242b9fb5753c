import { formatCount } from '#shared/format/count.ts'

/** Says that only the fastest laps of a file are stored; empty if all are. */
export function leftOutWords(leftOut: number | undefined): string {
  if (leftOut === undefined) return ''
  const laps = leftOut === 1 ? '1 slower lap' : `${formatCount(leftOut)} slower laps`
  return `. ${laps} of this file ${leftOut === 1 ? 'is' : 'are'} not kept: the fastest 2,000 are.`
}

/** Says why the best lap of a file was not saved. The text stays true if a saved lap is deleted later. */
export function skipWords(reason: string): string {
  switch (reason) {
    case 'no_complete_lap':
      return 'No complete lap to save'
    case 'not_faster':
      return 'No faster than your lap on the leaderboard'
    case 'already_ingested':
      return 'This file was saved before'
    case 'held_for_review':
      return 'Your lap is held for review'
    default:
      return 'Your fastest lap is saved already'
  }
}
