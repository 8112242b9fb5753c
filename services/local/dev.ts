/**
 * `make dev`: the stack, with each service restarted when its code changes. Vite's server is in front of it
 * and shows a change of the page without a reload.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buildFrontend } from './build-frontend.ts'
import { type Run, runAlone } from './run-alone.ts'
import { stack } from './stack.ts'
import { startStack } from './start-stack.ts'

await runAlone({ command: 'services/local/dev.ts', defaultPort: 5173, body: dev })

async function dev({ rootDir, dataDir, port, host, signal, say }: Run): Promise<void> {
  // Sign-in and the object store accept only the address that Vite prints.
  const pageHost = host === '127.0.0.1' ? 'localhost' : host
  // The gateway does not start without a built page, even though Vite serves the page here.
  await buildFrontend({ rootDir, dataDir: join(rootDir, '.lapwing'), say, signal })
  const running = await startStack({
    parts: stack,
    rootDir,
    dataDir,
    publicPort: 0,
    publicHost: '127.0.0.1',
    publicUrl: `http://${pageHost}:${port}`,
    env: process.env,
    nodeArgs: ['--watch', '--watch-preserve-output'],
    say,
    signal,
  })
  const { mailbox } = running.urls
  if (mailbox !== undefined) say(`Sent mails: ${mailbox}`)
  const cli = join(rootDir, 'node_modules/vite/bin/vite.js')
  const vite = spawn(process.execPath, [cli, '--strictPort', '--host', pageHost, '--port', String(port)], {
    cwd: join(rootDir, 'frontend'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LAPWING_GATEWAY: running.urls.gateway },
  })
  const ended = once(vite, 'exit')
  await Promise.race([ended, signal.aborted || once(signal, 'abort')])
  vite.kill('SIGTERM')
  await ended
  await running.stop()
}
