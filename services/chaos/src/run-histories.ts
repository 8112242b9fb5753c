import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const rootDir = join(import.meta.dirname, '../../..')
const file = 'services/leaderboard/src/histories.test.ts'

/**
 * Tests random histories of boards with leaderboard's own test, one share per core, each with its own
 * database. Returns the number of failed shares and prints their output, which includes the seeds.
 */
export async function runHistories(
  histories: number,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<number> {
  const shares = Math.min(availableParallelism(), MAX_SHARES, histories)
  const results = await Promise.all(
    Array.from({ length: shares }, (_, index) => playShare(Math.ceil((histories - index) / shares), signal)),
  )
  for (const { output, isRight } of results) if (!isRight) say(output)
  return results.filter(({ isRight }) => !isRight).length
}

const MAX_SHARES = 4

async function playShare(histories: number, signal: AbortSignal) {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', file], {
    cwd: rootDir,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, HISTORIES: String(histories) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  signal.removeEventListener('abort', stop)
  return { output, isRight: code === 0 }
}
