/** `make load`: loads Lapwing with arriving drivers and reports what it carries. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { join } from 'node:path'
import { stopOnSignal } from '@lapwing/local/stop-on-signal'
import { formatCost, formatStep, formatSteps } from './format-report.ts'
import { type LoadOptions, readOptions } from './options.ts'
import { runLoad } from './run-load.ts'

/** As k6 exits when a threshold is crossed. */
const CROSSED = 99

const signal = stopOnSignal(process, code => process.exit(code))

try {
  process.exitCode = await load(readOptions(process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function load(options: LoadOptions): Promise<number> {
  const report = await runLoad(options, { say: line => console.log(line), signal })
  const { steps, cost, checkedRows } = report
  console.log(`\n${options.scenario.name}, times in ms from the scheduled start of a journey:\n`)
  console.log(formatSteps(steps))
  const last = steps.at(options.isSearch ? highest(steps) : -1)
  if (last !== undefined) {
    console.log(`\nat ${last.step.rate.to.toFixed(1)} arrivals/s:\n\n${formatStep(last)}`)
  }
  if (cost !== null) console.log(`\n${formatCost(cost)}`)
  if (checkedRows !== null) console.log(`\n${checkedRows} acknowledged laps, each on its board`)
  writeReport(options, report)
  if (steps.some(({ step }) => step.failed > 0)) return 1
  return !options.isSearch && steps.some(({ crossed }) => crossed.length > 0) ? CROSSED : 0
}

/** Returns the index of the highest rate, which shows what was at its limit first. */
function highest(steps: readonly { readonly step: { readonly rate: { readonly to: number } } }[]): number {
  const rates = steps.map(({ step }) => step.rate.to)
  return rates.indexOf(Math.max(...rates))
}

function writeReport(options: LoadOptions, report: object): void {
  const date = new Date().toISOString()
  const machine = {
    node: process.version,
    system: `${process.platform} ${release()}`,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
  }
  const folder = join(import.meta.dirname, '../../../../bench-results')
  mkdirSync(folder, { recursive: true })
  const file = `load-${options.scenario.name}-${date.replaceAll(':', '-')}.json`
  const { scenario, target, durationS } = options
  const content = { date, machine, scenario, target, durationS, ...report }
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`)
  console.log(`\nWritten to bench-results/${file}`)
}
