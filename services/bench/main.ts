import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench, BenchContext, Line } from './bench.ts'
import { accountTimingBench } from './benches/account-timing.ts'
import { browserBench } from './benches/browser.ts'
import { frameBench } from './benches/frame.ts'
import { gatewayBench } from './benches/gateway.ts'
import { ingestBench } from './benches/ingest.ts'
import { largeFileBench } from './benches/large-file.ts'
import { leaderboardBench } from './benches/leaderboard.ts'
import { libraryBench } from './benches/library.ts'
import { mapBench } from './benches/map.ts'
import { memoryBench } from './benches/memory.ts'
import { readColumnsBench } from './benches/read-columns.ts'
import { serviceBench } from './benches/service.ts'
import { signInBench } from './benches/sign-in.ts'
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
  serviceBench,
  gatewayBench(values.install),
  browserBench,
  largeFileBench,
  frameBench,
  mapBench,
  libraryBench,
  accountTimingBench,
  signInBench,
  ingestBench,
  leaderboardBench,
]

interface Group {
  readonly name: string
  readonly how: string
  readonly lines: readonly (Line & { readonly reached: boolean | null })[]
}

const withReached = (line: Line) => ({ ...line, reached: isReached(line) })

const unknown = positionals.filter(name => !BENCHES.some(bench => bench.name === name))
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}. ${USAGE}`)
  console.error(`Groups: ${BENCHES.map(bench => bench.name).join(', ')}`)
  process.exit(2)
}

const groups: Group[] = []
for (const bench of BENCHES) {
  const isAsked = positionals.length === 0 ? !bench.onlyByName : positionals.includes(bench.name)
  if (!isAsked) continue
  const start = performance.now()
  try {
    const lines = await bench.run(context)
    groups.push({ name: bench.name, how: bench.how, lines: lines.map(withReached) })
  } catch (cause) {
    // The other groups are still worth measuring.
    console.error(`${bench.name} could not be measured:`, cause)
    process.exitCode = 1
  }
  context.log(`${bench.name}: done in ${Math.round((performance.now() - start) / 1000)} s`)
}
console.log(`\nMedians of ${context.rounds} rounds; services/bench/README.md says how.\n`)
console.log(formatLines(groups))

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
