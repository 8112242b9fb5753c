/**
 * `make observe`: starts Prometheus beside a running `make run`, with the alerts of the chart, until Ctrl-C. `PROMETHEUS`
 * names the program, `OBSERVE_PORT` its port.
 */
import { join } from 'node:path'
import { integer, readEnv, text } from '@lapwing/config'
import { readRunOptions } from '../run-options.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { observe } from './observe.ts'

const rootDir = join(import.meta.dirname, '../../..')
const signal = stopOnSignal(process, code => process.exit(code))

try {
  const { program, port } = readEnv(
    {
      program: text('PROMETHEUS', { about: 'the program of Prometheus.', fallback: 'prometheus' }),
      port: integer('OBSERVE_PORT', {
        min: 1,
        max: 65_535,
        about: 'the port of the page of Prometheus.',
        fallback: 9090,
      }),
    },
    process.env,
  )
  const { dataDir } = readRunOptions(process.env, rootDir)
  await observe({ rootDir, dataDir, program, port, signal, say: line => console.log(line) })
} catch (error) {
  if (!signal.aborted) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
