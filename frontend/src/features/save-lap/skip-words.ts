/** Why the best lap of a file was not saved, in words that stay true when a saved lap is deleted later. */
export function skipWords(reason: string): string {
  switch (reason) {
    case 'no_complete_lap':
      return 'No complete lap to save'
    case 'not_faster':
      return 'No faster than your lap on the leaderboard'
    case 'already_ingested':
      return 'This file was saved before'
    default:
      return 'Your fastest lap is saved already'
  }
}
