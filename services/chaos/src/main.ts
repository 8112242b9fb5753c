/** `make chaos`: runs trials under faults, then random histories of the boards. */
import { randomInt } from 'node:crypto'
import { integer, readEnv } from '@lapwing/config'
import { runHistories } from './run-histories.ts'
import { runTrials, WAVE } from './wave/run-trials.ts'

/** Whether the run repeats a single wave. */
const isRepeated = process.env.SEED !== undefined

const { trials, seed, histories } = readEnv(
  {
    trials: integer('TRIALS', {
      min: 0,
      max: 1_000_000,
      about: 'Number of files that are submitted under faults.',
      example: '1000',
      fallback: isRepeated ? WAVE : 1000,
    }),
    seed: integer('SEED', {
      min: 0,
      max: 2 ** 31 - 1,
      about: 'Seed of the first wave; a failed wave prints its own.',
      example: '4711',
      fallback: randomInt(2 ** 31),
    }),
    histories: integer('HISTORIES', {
      min: 0,
      max: 10_000_000,
      about: 'Number of random histories of boards that are tested.',
      example: '10000',
      fallback: isRepeated ? 0 : 10_000,
    }),
  },
  process.env,
)

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())

const say = (line: string) => console.log(line)
say(`${trials} trials from the seed ${seed}`)
const startedMs = performance.now()
const result = await runTrials({ trials, seed, say, signal: stopped.signal })
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
say(
  `${result.trials} trials in ${minutes} min: ${result.acknowledged} acknowledged, ${result.faults} faults, ` +
    `quiet after ${result.longestQuietS.toFixed(1)} s at most, ${result.failures.length} waves failed`,
)
for (const failure of result.failures) say(`  SEED=${failure.seed} make chaos`)

let wrongShares = 0
if (histories > 0 && !stopped.signal.aborted) {
  const playedMs = performance.now()
  wrongShares = await runHistories(histories, { say, signal: stopped.signal })
  const took = ((performance.now() - playedMs) / 60_000).toFixed(1)
  say(`${histories} histories of boards in ${took} min: ${wrongShares === 0 ? 'ranks are right' : 'FAIL'}`)
}
const isRight = result.failures.length === 0 && wrongShares === 0 && !stopped.signal.aborted
process.exitCode = isRight ? 0 : 1
