/** `make demo`: fills the boards of this folder's Lapwing with drivers. `make demo-clear` removes them. */
import { join } from 'node:path'
import { readRunOptions } from '../run-options.ts'
import { demoBoards } from './boards.ts'
import { connectDemo } from './connect-demo.ts'
import { clearBoards, type Demo, fillBoards } from './fill-boards.ts'

const rootDir = join(import.meta.dirname, '../../..')
const say = (line: string) => console.log(line)

try {
  const { dataDir } = readRunOptions(process.env, rootDir)
  const demo: Demo = { dataDir, client: await connectDemo(dataDir), say }
  if (process.argv.includes('--clear')) say(`${await clearBoards(demo)} demo drivers were removed.`)
  else {
    await fillBoards(demo, demoBoards, { seed: 1, now: new Date() })
    say('The drivers and their laps are generated. `make demo-clear` removes them.')
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
