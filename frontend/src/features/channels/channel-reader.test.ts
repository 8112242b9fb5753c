import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_CHANGED, rememberChosen } from '#shared/files/file-changes.ts'
import type { ChannelResult, ChannelTask } from './channel-protocol.ts'
import { createChannelReader } from './channel-reader.ts'

const lap = { rowStart: 10, rowEnd: 12 }
const never = new AbortController().signal

function harness(file = new File(['rows'], 'a.ibt')) {
  const tasks: ChannelTask[] = []
  let running = 0
  const reader = createChannelReader({ kind: 'file', file }, async task => {
    tasks.push(task)
    assert.equal(++running, 1, 'the worker has one task at a time')
    await new Promise(resolve => setImmediate(resolve))
    running--
    const { wanted } = task
    const rows = wanted === null ? 0 : wanted.rowEnd - wanted.rowStart + 1
    const columns = (wanted?.names ?? [])
      .filter(name => name !== 'Unknown')
      .map(name => ({ name, type: 'float', count: 1, unit: '', values: new Float32Array(rows) }) as const)
    return { variables: [], columns } satisfies ChannelResult
  })
  return { reader, asked: () => tasks.map(({ wanted }) => wanted && [wanted.rowStart, ...wanted.names]) }
}

test('reads only the rows and columns asked for, and each once', async () => {
  const { reader, asked } = harness()
  const first = await reader.columns(lap, ['RPM', 'Speed', 'RPM', 'Unknown'], never)
  assert.deepEqual([...first.keys()], ['RPM', 'Speed'])
  assert.equal(first.get('RPM')!.values.length, 3)
  const second = await reader.columns(lap, ['Speed', 'Gear'], never)
  assert.equal(second.get('Speed'), first.get('Speed'))
  await reader.columns(lap, ['Gear', 'RPM'], never)
  await reader.columns({ rowStart: 20, rowEnd: 22 }, ['RPM'], never)
  assert.deepEqual(asked(), [
    [10, 'RPM', 'Speed', 'Unknown'],
    [10, 'Gear'],
    [20, 'RPM'],
  ])
})

test('reads one after another, and nothing that is no longer wanted', async () => {
  const { reader, asked } = harness()
  const gone = new AbortController()
  const all = [
    reader.variables(),
    reader.columns(lap, ['A'], never),
    reader.columns(lap, ['B'], gone.signal),
    reader.columns(lap, ['C'], never),
  ]
  gone.abort(new Error('another lap'))
  const outcomes = await Promise.allSettled(all)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(asked(), [null, [10, 'A'], [10, 'C']])
})

test('says that a file has changed, and reads on with the next request', async () => {
  const file = new File(['rows'], 'a.ibt')
  rememberChosen([file])
  const { reader } = harness(file)
  Object.defineProperty(file, 'size', { value: 5, configurable: true })
  await assert.rejects(reader.columns(lap, ['RPM'], never), { message: FILE_CHANGED })
  Object.defineProperty(file, 'size', { value: 4 })
  assert.equal((await reader.columns(lap, ['RPM'], never)).size, 1)
})
