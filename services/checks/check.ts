/**
 * `make check`: checks the code without running it, and prints one line a check. Arguments choose checks by a
 * part of their name.
 */
import { join } from 'node:path'
import { type Check, checks } from './checks.ts'

const rootDir = join(import.meta.dirname, '../..')
const only = process.argv.slice(2)
const chosen = checks(rootDir).filter(
  ({ name }) => only.length === 0 || only.some(part => name.includes(part)),
)
const problems: string[] = []

const queue = chosen.values()
// Two lanes, because most checks use one core.
await Promise.all([runLane(), runLane()])

for (const problem of problems) console.log(`\n${problem}`)
console.log(`\nchecks: ${chosen.length - problems.length} passed, ${problems.length} failed`)
process.exitCode = problems.length > 0 || chosen.length === 0 ? 1 : 0

async function runLane(): Promise<void> {
  for (const check of queue) await runCheck(check)
}

async function runCheck({ name, run, skipped }: Check): Promise<void> {
  const startedAt = performance.now()
  const problem = await run().catch((error: Error) => error.message)
  if (problem !== null) problems.push(`FAIL ${name}\n${problem}`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)
  console.log(`${problem === null ? 'ok  ' : 'FAIL'}  ${seconds} s  ${name}`)
  for (const step of skipped?.() ?? []) console.log(`skipped  ${step}`)
}
