import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { aFile } from '../test/a-file.ts'
import { createJudgePool, ThreadFailed } from './judge-pool.ts'

const dir = mkdtempSync(join(tmpdir(), 'lapwing-ingest-pool-'))
const aPool = (timeoutMs: number) =>
  createJudgePool({
    threads: 1,
    heapMb: 64,
    timeoutMs,
    threadModule: new URL('../test/faulty-thread.ts', import.meta.url),
  })
const pool = aPool(60_000)
const impatient = aPool(4_000)

after(async () => {
  await pool.close()
  await impatient.close()
  rmSync(dir, { recursive: true })
})

let files = 0
function fileOf(content: Uint8Array | string): string {
  const path = join(dir, String(files++))
  writeFileSync(path, content)
  return path
}

const judge = (path: string, signal = new AbortController().signal, by = pool) =>
  by.judge(path, 'driver', { signal, onProgress: () => {} })

for (const fault of ['exit', 'throw', 'fill the heap']) {
  test(`fails only the file at which a thread comes to ${fault}, and shows nothing of its content`, async () => {
    const [failed, well] = await Promise.allSettled([
      judge(fileOf(fault.padEnd(20))),
      // Waits for the only thread, or for the next one.
      judge(fileOf(aFile())).catch(() => judge(fileOf(aFile()))),
    ])
    assert.equal(failed.status, 'rejected')
    assert.ok(failed.reason instanceof ThreadFailed)
    assert.doesNotMatch(String(failed.reason.stack), /canary/)
    assert.equal(well.status, 'fulfilled')
    assert.equal(well.value.laps.length, 4)
  })
}

test('fails a file at which a thread never ends, and judges the next one in another thread', async () => {
  const never = new AbortController().signal
  await assert.rejects(judge(fileOf('loop'.padEnd(20)), never, impatient), ThreadFailed)
  // On a busy machine a thread can take longer to start than the time limit of a file.
  let laps = 0
  while (laps === 0) {
    laps = await judge(fileOf(aFile()), never, impatient).then(
      judged => judged.laps.length,
      error => {
        assert.ok(error instanceof ThreadFailed)
        return 0
      },
    )
  }
  assert.equal(laps, 4)
})

test('ends an aborted judgement with the reason of its signal', async () => {
  const stop = new AbortController()
  const ended = judge(fileOf(aFile({ padding: 4_000, lapTimesS: [20, 20, 20, 20] })), stop.signal)
  const reason = new Error('not wanted')
  stop.abort(reason)
  await assert.rejects(ended, reason)
  await assert.rejects(judge(fileOf(aFile()), stop.signal), reason)
  assert.equal((await judge(fileOf(aFile()))).laps.length, 4)
})

test('reports progress that only grows, from 0 to 1', async () => {
  const shares: number[] = []
  const path = fileOf(aFile({ padding: 20_000, lapTimesS: [20, 20, 20] }))
  await pool.judge(path, 'driver', {
    signal: new AbortController().signal,
    onProgress: share => shares.push(share),
  })
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  )
  for (const share of shares) assert.ok(share >= 0 && share <= 1)
})
