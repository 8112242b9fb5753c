import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Harness, harness } from '@lapwing/ingest/test/harness'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { runProcess } from '../run-process.ts'

const files = 24

/**
 * Measures how fast a worker brings files onto the boards, against judging them only, and how much a second
 * worker adds.
 */
export const ingestBench: Bench = {
  name: 'ingest',
  how:
    `${files} files in the object store, queued together, until the last is recorded and confirmed, by a ` +
    'worker with one thread; a real Postgres, Valkey and store, and a played leaderboard. The peers judge the same ' +
    'files from a disk, in a process that does nothing else.',
  async run(context) {
    const service = await harness({ waitMs: 0 })
    try {
      const lines: Line[] = []
      for (const mib of [20, 2]) lines.push(...(await oneWorker(context, service, mib)))
      lines.push(await twoWorkers(context, service, 20))
      return lines
    } finally {
      await service.close()
    }
  },
}

async function oneWorker(context: BenchContext, service: Harness, mib: number): Promise<Line[]> {
  const { log, rounds: count } = context
  const path = bigFile(context, mib)
  log(`ingest: ${count} rounds of ${files} files of ${mib} MiB`)
  await storeFiles(service, path)
  const worker = await startWorker(service)
  try {
    const ingest = async () => (await ingestAll(service)) / files
    // Warms up: code is loaded and compiled, connections are open.
    await rounds(2, [ingest])
    const [ours = [], judging = [], hashing = []] = await rounds(count, [
      ingest,
      () => judgeAlone(path),
      () => judgeAlone(path, 'hash'),
    ])
    const line = (peerName: string, peer: readonly number[], atMost: number | null): Line => ({
      name: `${mib} MiB to a place on a board`,
      unit: 'ms',
      ours: median(ours),
      peerName,
      peer: median(peer),
      ratio: pairedRatio(ours, peer),
      atMost,
    })
    return [line('judging it alone', judging, 1.25), line('hashing and judging it', hashing, null)]
  } finally {
    await worker.stop()
  }
}

/** Each worker has one core, so that the second worker adds one. */
async function twoWorkers(context: BenchContext, service: Harness, mib: number): Promise<Line> {
  const name = `${mib} MiB, two workers of a core each`
  const about = { name, unit: 'ms', peerName: 'one', atMost: 1 / 1.7 }
  if (!canPin()) {
    return {
      ...about,
      ours: null,
      peer: null,
      ratio: null,
      reason: 'a process cannot be tied to a core here',
    }
  }
  context.log(`ingest: ${context.rounds} rounds of one worker, and of two`)
  await storeFiles(service, bigFile(context, mib))
  const first = await startWorker(service, 0)
  try {
    const ingest = async () => (await ingestAll(service)) / files
    const withBoth = async () => {
      const second = await startWorker(service, 1)
      try {
        await ingest()
        return await ingest()
      } finally {
        await second.stop()
      }
    }
    await rounds(2, [ingest])
    const [one = [], two = []] = await rounds(context.rounds, [ingest, withBoth])
    return { ...about, ours: median(two), peer: median(one), ratio: pairedRatio(two, one) }
  } finally {
    await first.stop()
  }
}

async function judgeAlone(path: string, before = ''): Promise<number> {
  const args = [join(import.meta.dirname, '../subjects/judge-files.ts'), path, String(files), before]
  const { ms } = await runProcess<{ ms: number }>({ command: process.execPath, args })
  return ms
}

/** Stores copies of a file that differ in the second of their beginning, and ingests each once. */
async function storeFiles(service: Harness, path: string): Promise<void> {
  await deleteRecords(service)
  await service.db.deleteFrom('ingest').execute()
  const bytes = readFileSync(path)
  for (let file = 0; file < files; file++) {
    bytes.writeBigInt64LE(BigInt(1_800_000_000 + file), startDateAt)
    await service.ingest('driver', await service.upload.addFile('driver', bytes))
  }
}

/** Offset of the start time (seconds) in a telemetry file. */
const startDateAt = 112

/** Has every file judged like a new one. Returns the milliseconds until the last is done. */
async function ingestAll(service: Harness): Promise<number> {
  const { db, queue } = service
  await deleteRecords(service)
  await db.updateTable('ingest').set({ state: 'waiting', outcome: null, tries: 0 }).execute()
  const jobs = await db.selectFrom('ingest').select(['id', 'size', 'attempt']).execute()
  const begin = performance.now()
  await queue.enqueue(jobs.map(job => ({ ...job, ageMs: 0, traceparent: null })))
  for (;;) {
    const left = await db
      .selectFrom('ingest')
      .select(['state', 'failure_code'])
      .where('state', '!=', 'done')
      .execute()
    if (left.length === 0) return performance.now() - begin
    const failed = left.find(row => row.state === 'failed')
    if (failed !== undefined) throw new Error(`a file failed: ${failed.failure_code}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** Deletes what was recorded about the files, so that they are new again. */
async function deleteRecords({ db }: Harness): Promise<void> {
  for (const table of ['lap', 'file', 'sim_driver', 'driver_claim', 'standing'] as const)
    await db.deleteFrom(table).execute()
}

interface Worker {
  stop(): Promise<void>
}

/** Starts a process as in production, with one thread that judges; pins it to `core` if given. */
async function startWorker(service: Harness, core?: number): Promise<Worker> {
  const node = [process.execPath, join(import.meta.dirname, '../../ingest/src/worker.ts')]
  const [command = '', ...args] = core === undefined ? node : ['taskset', '-c', String(core), ...node]
  const child = spawn(command, args, {
    env: {
      ...process.env,
      ...service.env,
      LOG_LEVEL: 'info',
      INGEST_LEASE_MS: '60000',
      // The default of a deployment: the harness sweeps so often that tests need not wait.
      INGEST_SWEEP_MS: undefined,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilListening(child)
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout!.on('data', chunk => {
      output += chunk
      if (output.includes('Server listening')) resolve()
    })
    child.once('exit', code => reject(new Error(`the worker ended with ${code}: ${output}`)))
    child.once('error', reject)
  })
}

function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
