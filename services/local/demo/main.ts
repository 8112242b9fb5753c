/**
 * `make demo`: fills the boards of a Lapwing that runs from this folder with drivers who do not exist.
 * `make demo-clear` removes them.
 */
import { join } from 'node:path'
import { readRunOptions } from '../run-options.ts'
import { readRunningFile } from '../running-file.ts'
import { openSecrets } from '../secrets.ts'
import { demoBoards } from './boards.ts'
import { createDemoClient } from './demo-client.ts'
import { clearBoards, type Demo, fillBoards } from './fill-boards.ts'

const rootDir = join(import.meta.dirname, '../../..')
const say = (line: string) => console.log(line)

try {
  const { dataDir } = readRunOptions(process.env, rootDir)
  const demo: Demo = { dataDir, client: await connect(dataDir), say }
  if (process.argv.includes('--clear')) say(`${await clearBoards(demo)} demo drivers were removed.`)
  else {
    await fillBoards(demo, demoBoards, { seed: 1, now: new Date() })
    say('They and their laps are generated. `make demo-clear` removes them.')
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function connect(dataDir: string) {
  const running = readRunningFile(dataDir)
  const [upload, ingest, leaderboard] = ['upload', 'ingest', 'leaderboard'].map(name => running?.urls[name])
  const answers = await Promise.all([upload, ingest, leaderboard].map(isUp))
  if (!upload || !ingest || !leaderboard || answers.includes(false)) {
    throw new Error(
      'Lapwing does not run from this folder. Start it with `make run`, and call this beside it.',
    )
  }
  const internalKey = openSecrets(join(dataDir, 'secrets.json'))('INTERNAL_KEY')
  return createDemoClient({ upload, ingest, leaderboard }, internalKey)
}

async function isUp(url: string | undefined): Promise<boolean> {
  if (url === undefined) return false
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}
