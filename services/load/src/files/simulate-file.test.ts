import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bytesSource,
  isPartlySameLap,
  isSameLap,
  lapFingerprint,
  openIbt,
  previewSession,
} from '@lapwing/telemetry'
import { type RunName, trackOf } from '../scenarios/world.ts'
import { wideFile } from '../steps/wide-file.ts'
import { simulateFile } from './simulate-file.ts'

const run: RunName = { id: '0a1b2c', drivers: 5 }
const files = Array.from({ length: 12 }, (_, file) => simulateFile(run, file))
const previews = await Promise.all(files.map(file => previewSession(bytesSource(file))))
const laps = previews.map(preview => preview.laps.filter(lap => lap.is_completed))

test('has one complete and clean lap in each file, none of which a review would hold', () => {
  for (const complete of laps) {
    assert.equal(complete.length, 1)
    assert.equal(complete[0]!.is_clean, true)
  }
  const times = laps.map(([lap]) => lap!.time_s!)
  assert.ok(Math.min(...times) > 0.98 * Math.max(...times), times.join(' '))
})

test('has no lap that is a copy of another one', () => {
  const fingerprints = previews.map((preview, index) => lapFingerprint(preview, laps[index]![0]!)!)
  for (const [index, one] of fingerprints.entries()) {
    for (const other of fingerprints.slice(index + 1)) {
      assert.equal(isSameLap(one.descriptor, other.descriptor), false)
      assert.equal(isPartlySameLap(one.descriptor, other.descriptor), false)
    }
  }
})

test('gives each driver of a run a number, and no two files the same driver and car', async () => {
  const sessions = await Promise.all(files.map(async file => (await openIbt(bytesSource(file))).session))
  assert.equal(new Set(sessions.map(({ userId }) => userId)).size, run.drivers)
  const owners = previews.map(({ meta }, index) => `${sessions[index]!.userId} ${meta.car_slug}`)
  assert.equal(new Set(owners).size, files.length)
  assert.deepEqual(new Set(previews.map(({ meta }) => meta.track_label)), new Set([trackOf(run)]))
  const others = await openIbt(bytesSource(simulateFile({ ...run, id: '0a1b2d' }, 0)))
  assert.ok(sessions.every(({ userId }) => userId !== others.session.userId))
})

test('makes a file larger without a change of its laps', async () => {
  const [narrow] = files
  const bytes = 20 * 1024 * 1024
  const wide = wideFile(narrow!, bytes)
  assert.ok(wide.byteLength <= bytes && wide.byteLength > 0.999 * bytes, String(wide.byteLength))
  assert.deepEqual((await previewSession(bytesSource(wide))).laps, previews[0]!.laps)
  assert.equal(wideFile(narrow!, 1_000), narrow)
})
