import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { type TestContext, test } from 'node:test'
import { cutSlowReaders } from './cut-slow-readers.ts'

const KiB = 1024
const limits = { unreadMs: 30_000, bytesPerS: 16 * KiB }

/** Opens a connection whose client reads an endless answer. */
function aReader(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const server = new EventEmitter()
  cutSlowReaders(server as Server, limits)
  let cut = false
  const socket = Object.assign(new EventEmitter(), {
    bytesWritten: 0,
    writableLength: 0,
    destroy() {
      cut = true
    },
  })
  server.emit('connection', socket)
  return {
    isCut: () => cut,
    /** Advances the clock. The client reads that many bytes a second, while `unread` bytes wait. */
    pass(seconds: number, bytesPerS: number, unread: number) {
      for (let second = 0; second < seconds; second++) {
        socket.bytesWritten += bytesPerS
        socket.writableLength = unread
        // Node counts waiting bytes as written.
        socket.bytesWritten += unread
        t.mock.timers.tick(1_000)
        socket.bytesWritten -= unread
      }
    },
  }
}

test('cuts a client that reads nothing for 30 s', t => {
  const reader = aReader(t)
  reader.pass(30, 0, 64 * KiB)
  assert.equal(reader.isCut(), false)
  reader.pass(1, 0, 64 * KiB)
  assert.equal(reader.isCut(), true)
})

test('cuts a client that reads 100 bytes a second, even after a fast start', t => {
  const reader = aReader(t)
  reader.pass(1, 4 * 1024 * KiB, 64 * KiB)
  reader.pass(29, 100, 64 * KiB)
  assert.equal(reader.isCut(), false)
  reader.pass(3, 100, 64 * KiB)
  assert.equal(reader.isCut(), true)
})

test('never cuts a client that reads 16 KiB a second or more', t => {
  const reader = aReader(t)
  reader.pass(3_600, 16 * KiB, 64 * KiB)
  assert.equal(reader.isCut(), false)
})

test('does not cut a client that reads much after a pause', t => {
  const reader = aReader(t)
  for (let round = 0; round < 20; round++) {
    reader.pass(29, 0, 64 * KiB)
    reader.pass(1, 512 * KiB, 64 * KiB)
  }
  assert.equal(reader.isCut(), false)
})

test('does not cut a client that waits for its service', t => {
  const reader = aReader(t)
  reader.pass(3_600, 0, 0)
  reader.pass(29, 0, 64 * KiB)
  assert.equal(reader.isCut(), false)
})
