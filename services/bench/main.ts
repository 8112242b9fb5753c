import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench, BenchContext, Line } from './bench.ts'
import { memoryBench } from './benches/memory.ts'
import { readColumnsBench } from './benches/read-columns.ts'
import { wireBench } from './benches/wire.ts'
import { formatLines, isReached } from './format-lines.ts'
import { findPeers } from './peers.ts'

const USAGE = 'node services/bench/main.ts [--rounds 5] [--no-install] [group ...]'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { rounds: { type: 'string', default: '5' }, install: { type: 'boolean', default: true } },
})

const context: BenchContext = {
  rounds: Math.max(1, Number.parseInt(values.rounds, 10) || 1),
  root: join(import.meta.dirname, '../..'),
  log: text => console.error(text),
}

const BENCHES: readonly Bench[] = [
  readColumnsBench(() => findPeers(context, values.install)),
  memoryBench,
  wireBench,
]

const unknown = positionals.filter(name => !BENCHES.some(bench => bench.name === name))
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}. ${USAGE}`)
  console.error(`Groups: ${BENCHES.map(bench => bench.name).join(', ')}`)
  process.exit(2)
}

const groups: { name: string; how: string; lines: (Line & { reached: boolean | null })[] }[] = []
for (const bench of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue
  const lines = await bench.run(context)
  console.log(`\n${bench.name}: ${bench.how}\nMedians of ${context.rounds} rounds.\n\n${formatLines(lines)}`)
  groups.push({
    name: bench.name,
    how: bench.how,
    lines: lines.map(line => ({ ...line, reached: isReached(line) })),
  })
}

const date = new Date().toISOString()
const folder = join(context.root, 'bench-results')
mkdirSync(folder, { recursive: true })
const file = `${date.replaceAll(':', '-')}.json`
const machine = {
  node: process.version,
  system: `${process.platform} ${release()}`,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
}
writeFileSync(
  join(folder, file),
  `${JSON.stringify({ date, machine, rounds: context.rounds, groups }, null, 2)}\n`,
)
console.log(`\nWritten to bench-results/${file}`)
