/** `make kube-e2e`: tries the chart and the images on a cluster. */
import { join } from 'node:path'
import { stopOnSignal } from '@lapwing/local/stop-on-signal'
import { formatResults } from './format-results.ts'
import { readOptions } from './options.ts'
import { runSteps } from './run-steps.ts'
import { steps } from './steps/steps.ts'
import type { World } from './world.ts'

const signal = stopOnSignal(process, code => process.exit(code))

try {
  const options = readOptions(process.env)
  const say = (line: string) => console.log(line)
  const world: World = {
    ...{ options, say, signal },
    rootDir: join(import.meta.dirname, '../../..'),
    env: process.env,
    clients: new Map(),
  }
  const results = await runSteps(steps, world, { only: options.steps, signal, say })
  console.log(`\n${formatResults(results)}`)
  process.exitCode = results.every(({ outcome }) => outcome === 'ok') ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
// A client of an interrupted run would keep the process alive.
process.exit()
