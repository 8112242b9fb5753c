import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { serveMetrics } from '@lapwing/metrics'
import { until } from '@lapwing/testing/until.ts'
import { observe } from './observe.ts'

const rootDir = join(import.meta.dirname, '../../..')
const program = process.env.PROMETHEUS ?? 'prometheus'
const hasPrometheus = spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

function observed(t: TestContext, options: { readonly program?: string; readonly port?: number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'lapwing-observe-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const stop = new AbortController()
  const lines: string[] = []
  const say = (line: string) => lines.push(line)
  return {
    dataDir,
    lines,
    stop: () => stop.abort(),
    /** Writes the file of a running stack with these targets. */
    writeTargets: (targets: readonly string[]) =>
      writeFileSync(join(dataDir, 'metrics.json'), JSON.stringify([{ targets, labels: {} }])),
    run: () => observe({ rootDir, dataDir, program, port: 9, signal: stop.signal, say, ...options }),
  }
}

test('asks for `make run` if no stack runs from the folder', async t => {
  await assert.rejects(
    observed(t).run(),
    /^Error: Lapwing does not run from this folder\. Start it with `make run`/,
  )
})

test('says how to get Prometheus if this machine has none, and where the addresses are', async t => {
  const { dataDir, run, writeTargets } = observed(t, { program: join(tmpdir(), 'no-prometheus') })
  writeTargets([])
  await assert.rejects(run(), new RegExp(`Prometheus is not on this machine\\..*${dataDir}/metrics\\.json`))
  assert.equal(existsSync(join(dataDir, 'observe')), false)
})

const skip = hasPrometheus ? false : 'Prometheus is not on this machine'

test('reads the metrics of the stack with the alerts of the chart, and stops on request', {
  skip,
}, async t => {
  const metrics = await serveMetrics({ process: 'demo', host: '127.0.0.1', port: 0 })
  t.after(() => metrics.close())
  const port = await freePort()
  const { lines, run, stop, writeTargets } = observed(t, { port })
  writeTargets([new URL(metrics.url).host])
  const running = run()
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()
  await until(() => lines.includes('Ctrl-C stops it.'))
  await until(async () => {
    const { data } = (await ask('query?query=up')) as { data: { result: { value: [number, string] }[] } }
    return data.result[0]?.value[1] === '1'
  })
  const { data } = (await ask('rules')) as { data: { groups: { name: string }[] } }
  assert.ok(data.groups.some(({ name }) => name === 'LapwingErrors'))
  stop()
  await running
  await assert.rejects(fetch(`http://127.0.0.1:${port}/-/ready`))
})
