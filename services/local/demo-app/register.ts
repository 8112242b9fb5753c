import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Registers the demo app with identity's own command, at the address that it has in this run. Does nothing in a stack
 * without it. Runs the command in this process, because another one would load the same code again.
 */
const address = process.env.DEMO_APP_URL
if (address) {
  process.argv.push(
    ...['--id', 'demo-app', '--name', 'Demo app', '--public'],
    ...['--description', 'A small app beside your own Lapwing. It shows your laps on a page of its own.'],
    ...['--redirect', new URL('/callback', address).href, '--logout', new URL('/', address).href],
  )
  const command = join(import.meta.dirname, '../../identity/src/create-connected-app.ts')
  await import(pathToFileURL(command).href)
}
