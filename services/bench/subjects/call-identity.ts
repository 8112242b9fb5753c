/**
 * Reads identity's keys and renews a session, in turn, and measures each. Arguments: identity's address and
 * the session's token. On a message with a number it works for that many milliseconds and sends the times.
 */
import { callIdentity, readKeys, timed } from './identity-client.ts'

/** Milliseconds of each call. */
export interface Times {
  readonly keys: number[]
  readonly renewals: number[]
}

const [identityUrl = '', token = ''] = process.argv.slice(2)

process.on('message', async ms => {
  const times: Times = { keys: [], renewals: [] }
  const isOver = AbortSignal.timeout(Number(ms))
  while (!isOver.aborted) {
    times.keys.push((await timed(() => readKeys(identityUrl))).ms)
    times.renewals.push(
      (await timed(() => callIdentity(identityUrl, '/sessions/authenticate', {}, token))).ms,
    )
  }
  process.send?.(times)
})
process.once('disconnect', () => process.exit(0))
process.send?.(identityUrl)
