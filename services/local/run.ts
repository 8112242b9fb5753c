/** `make run`: runs the whole of Lapwing on this machine, until Ctrl-C. */
import { once } from 'node:events'
import { join } from 'node:path'
import { buildFrontend } from './build-frontend.ts'
import { type Run, runAlone } from './run-alone.ts'
import { stack } from './stack.ts'
import { startStack } from './start-stack.ts'

await runAlone({ command: 'services/local/run.ts', defaultPort: 8080, body: run })

async function run({ rootDir, dataDir, port, host, signal, say }: Run): Promise<void> {
  await buildFrontend({ rootDir, dataDir: join(rootDir, '.lapwing'), say, signal })
  const running = await startStack({
    parts: stack,
    rootDir,
    dataDir,
    publicPort: port,
    publicHost: host,
    env: process.env,
    say,
    signal,
  })
  say(`Lapwing: ${running.url}`)
  const { mailbox } = running.urls
  if (mailbox !== undefined) say(`Sent mails: ${mailbox}`)
  say(`Demo app, to connect with an account: ${running.urls['demo-app']}`)
  say(`Metrics: ${running.metrics.gateway} (of every part: ${join(dataDir, 'metrics.json')})`)
  say(`Ctrl-C stops it. Logs: ${join(dataDir, 'logs')}`)
  if (!signal.aborted) await once(signal, 'abort')
  say('Stopping …')
  await running.stop()
  say('Stopped.')
}
