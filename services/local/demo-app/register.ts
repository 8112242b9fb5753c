import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Registers the demo app with identity's own command, at the address that it has in this run. Does nothing in a stack
 * without it.
 */
const address = process.env.DEMO_APP_URL
if (address) {
  const command = join(import.meta.dirname, '../../identity/src/create-connected-app.ts')
  const { status } = spawnSync(
    process.execPath,
    [
      command,
      ...['--id', 'demo-app', '--name', 'Demo app', '--public'],
      ...['--description', 'A small app beside your own Lapwing. It shows your laps on a page of its own.'],
      ...['--redirect', new URL('/callback', address).href, '--logout', new URL('/', address).href],
    ],
    { stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}
