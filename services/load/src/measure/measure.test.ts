import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { findBottlenecks } from './find-bottlenecks.ts'
import { parseMetrics } from './metrics-text.ts'
import { type Usage, watchUsage } from './probe.ts'
import { readTreeCpu } from './process-cpu.ts'

test('reads names, labels and values of metrics', () => {
  const text = [
    '# HELP lapwing_ready 1 while a check holds, else 0',
    '# TYPE lapwing_ready gauge',
    'lapwing_ready{check="a, b",process="gateway"} 1',
    'process_cpu_seconds_total{process="gateway"} 12.5',
    'plain 3e-4',
    'odd Nan',
  ].join('\n')
  assert.deepEqual(parseMetrics(`${text}\n`), [
    { name: 'lapwing_ready', labels: { check: 'a, b', process: 'gateway' }, value: 1 },
    { name: 'process_cpu_seconds_total', labels: { process: 'gateway' }, value: 12.5 },
    { name: 'plain', labels: {}, value: 3e-4 },
    { name: 'odd', labels: {}, value: Number.NaN },
  ])
})

test('counts the processor time of a process with its children, also of ended ones', {
  skip: existsSync('/proc/self/stat') ? false : 'skipped: no /proc',
}, async () => {
  const burn = `const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);`
  // One child ends, and another one stays.
  const parent = spawn(process.execPath, [
    '-e',
    `const { spawnSync, spawn } = require('node:child_process')
     spawnSync(process.execPath, ['-e', ${JSON.stringify(burn)}])
     spawn(process.execPath, ['-e', ${JSON.stringify(`${burn} process.stdin.resume()`)}])`,
  ])
  try {
    await until(() => readTreeCpu(parent.pid!)! >= 0.6, 'both children to count')
  } finally {
    parent.kill('SIGKILL')
  }
})

test('watches what the parts use while the work runs', async () => {
  const counted = [
    { statements: { ingest: 10 }, bytes: 1_000 },
    { statements: { ingest: 25, upload: 3 }, bytes: 1_600 },
  ]
  const { usage, result } = await watchUsage(
    {
      metrics: { nowhere: 'http://127.0.0.1:1/metrics' },
      pids: () => ({ self: process.pid, down: undefined }),
      readDatabase: async () => counted.shift()!,
    },
    async () => 'done',
  )
  assert.equal(result, 'done')
  assert.deepEqual([usage.statements, usage.databaseBytes], [{ ingest: 15, upload: 3 }, 600])
  assert.ok(usage.seconds > 0 && usage.cpuS.load! >= 0)
  assert.deepEqual(usage.loopDelayMs, {})
})

const idle: Usage = {
  seconds: 10,
  cpuS: { identity: 9, gateway: 3, load: 5 },
  machineBusy: 0.5,
  loopDelayMs: { gateway: 12 },
  waitingQueries: { leaderboard: 1 },
  waitingFiles: 2,
  statements: null,
  databaseBytes: null,
}

test('names what is at its limit, and nothing that is not', () => {
  assert.deepEqual(findBottlenecks(idle), [])
  assert.deepEqual(findBottlenecks({ ...idle, machineBusy: 0.96 }), [
    'processors: 96 % in use, most cores by identity 0.90, load 0.50, gateway 0.30',
  ])
  assert.deepEqual(findBottlenecks({ ...idle, loopDelayMs: { gateway: 150, upload: 20 } }), [
    'event loop of gateway: delays of 150 ms (p99)',
  ])
  assert.deepEqual(findBottlenecks({ ...idle, waitingQueries: { leaderboard: 14 }, waitingFiles: 30 }), [
    'database pool of leaderboard: 14 queries wait',
    'judging: 30 files wait for a worker',
  ])
})
