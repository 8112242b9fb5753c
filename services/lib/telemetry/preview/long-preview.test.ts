import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource } from '../byte-source.ts'
import { deltaTrace } from '../compare/delta-trace.ts'
import { lapTrack } from '../compare/lap-track.ts'
import { IbtError } from '../ibt/ibt-error.ts'
import { MAX_PREVIEW_ROWS } from '../ibt/limits.ts'
import { drivenAt } from '../laps/driven-at.ts'
import { syntheticLaps } from '../testing/synthetic-laps.ts'
import { previewLongSession, thinOut } from './long-preview.ts'
import type { SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { previewSession } from './preview-session.ts'

const names = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

test('is the preview of the session if its rows are few enough', async () => {
  const source = bytesSource(makeSampleSession())
  assert.deepEqual(await previewLongSession(source), await previewSession(source))
})

test('leaves out rows of a longer one, and changes no time, verdict or moment of a lap', async () => {
  const whole = await previewSession(bytesSource(makeSampleSession()))
  const rows = whole.sessionTime.length
  for (const mostRows of [rows - 1, rows / 2, rows / 3.5]) {
    const thin = thinOut(whole, mostRows)
    const bound = mostRows + 1 + 2 * whole.laps.reduce((sum, lap) => sum + 1 + lap.incidents.length, 0)
    assert.ok(thin.sessionTime.length <= bound, `${thin.sessionTime.length} of ${rows}`)
    assert.equal(thin.fileLaps, whole.laps)
    for (const [i, lap] of thin.laps.entries()) {
      const old = whole.laps[i]!
      const { row_start, row_end, incidents } = old
      assert.deepEqual({ ...lap, row_start, row_end, incidents }, old)
      for (const [now, before] of [
        [lap, old] as const,
        ...lap.incidents.map((one, at) => [one, incidents[at]!] as const),
      ]) {
        for (const name of names) {
          assert.equal(thin[name][now.row_start], whole[name][before.row_start], name)
          assert.equal(thin[name][now.row_end], whole[name][before.row_end], name)
        }
      }
    }
    const moments = (of: typeof whole) => drivenAt(of.laps, of.sessionTime, new Date(0))
    assert.deepEqual(moments(thin), moments(whole))
    for (const name of names) assert.equal(thin[name].constructor, whole[name].constructor)
  }
})

test('shows the same lap from a quarter of its rows, within 10 ms', async () => {
  const whole = await previewSession(bytesSource(makeSampleSession()))
  const thin = thinOut(whole, whole.sessionTime.length / 4)
  const at = whole.laps.findIndex(lap => lap.is_clean)
  const [lap, old] = [lapTrack(thin, thin.laps[at]!)!, lapTrack(whole, whole.laps[at]!)!]
  assert.equal(lap.time.at(-1), old.time.at(-1))
  for (const delta of deltaTrace(lap, old).delta) assert.ok(Math.abs(delta) < 0.01, String(delta))
})

test('opens more rows than a preview can have', async () => {
  const session = syntheticLaps({ lapTimesS: Array.from({ length: 280 }, (_, i) => 60 + (i % 7) / 10) })
  assert.ok(session.columns.rows > MAX_PREVIEW_ROWS)
  const { rows, byName } = session.columns
  const variables = [...byName.values()].map(({ name, type, values }) => ({ name, type, values }))
  const sessionText = '---\nWeekendInfo:\n TrackLength: 2.00 km\n...\n'
  const source = bytesSource(buildIbt({ rows, variables, sessionText }))
  await assert.rejects(
    previewSession(source),
    error => error instanceof IbtError && error.code === 'ibt.too_large',
  )
  const preview = await previewLongSession(source)
  assert.ok(preview.sessionTime.length <= MAX_PREVIEW_ROWS)
  assert.equal(preview.laps.filter(lap => lap.is_clean).length, 280)
  assert.equal(preview.meta.sample_rate_hz, 30)
})
