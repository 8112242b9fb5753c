import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createDistanceViewStore,
  followDistance,
  panDistance,
  rangeBetween,
  rangeOfPart,
  zoomDistance,
} from './distance-view-store.ts'

const full = { minM: 0, maxM: 4000 }

test('keeps the distance under the pointer in its position while zooming', () => {
  const range = zoomDistance(full, full, 2, 1000)!
  assert.equal(range.maxM - range.minM, 2000)
  assert.equal((1000 - range.minM) / 2000, 0.25)
})

test('shows the whole lap after zooming out completely', () => {
  assert.equal(zoomDistance({ minM: 100, maxM: 3900 }, full, 0.5, 2000), null)
})

test('shows no less than 20 m', () => {
  assert.deepEqual(zoomDistance({ minM: 990, maxM: 1010 }, full, 4, 1000), { minM: 990, maxM: 1010 })
})

test('stops panning at the ends of the lap', () => {
  assert.deepEqual(panDistance({ minM: 100, maxM: 600 }, full, -300), { minM: 0, maxM: 500 })
  assert.deepEqual(panDistance({ minM: 100, maxM: 600 }, full, 9000), { minM: 3500, maxM: 4000 })
})

test('stays within the lap after any zooming and panning', () => {
  const number = fc.double({ noNaN: true, min: 0, max: 1 })
  fc.assert(
    fc.property(
      number,
      number,
      fc.double({ noNaN: true, min: 0.2, max: 8 }),
      number,
      (a, b, factor, around) => {
        const range = panDistance({ minM: a * 3000, maxM: a * 3000 + 50 + b * 900 }, full, 0)
        const zoomed =
          zoomDistance(range, full, factor, range.minM + around * (range.maxM - range.minM)) ?? full
        assert.ok(zoomed.minM >= 0 && zoomed.maxM <= 4000 + 1e-9 && zoomed.maxM - zoomed.minM >= 20 - 1e-9)
      },
    ),
  )
})

test('follows a car with a range of the same length, and stays while the car is in its first part', () => {
  const range = { minM: 1000, maxM: 1500 }
  assert.equal(followDistance(range, full, 1200), range)
  assert.equal(followDistance(null, full, 1200), null)
  assert.equal(followDistance(range, full, Number.NaN), range)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 4000, noNaN: true }), metre => {
      const moved = followDistance(range, full, metre)!
      assert.ok(metre >= moved.minM && metre <= moved.maxM)
      assert.ok(Math.abs(moved.maxM - moved.minM - 500) < 1e-9)
    }),
  )
})

test('shows a chosen part with the same road before and after it, also at the line', () => {
  const part = { name: 'Turn 1', startM: 400, endM: 600 }
  assert.deepEqual(rangeOfPart(part, 4000), { minM: 368, maxM: 632, chosen: part })
  const first = { ...part, startM: 10 }
  assert.equal(rangeOfPart(first, 4000).minM, 0)
})

test('keeps a part chosen while its middle is shown', () => {
  const chosen = { name: 'Turn 1', startM: 400, endM: 600 }
  const range = rangeOfPart(chosen, 4000)
  assert.equal(zoomDistance(range, full, 2, 500)!.chosen, chosen)
  assert.equal(zoomDistance(range, full, 0.5, 500)!.chosen, chosen)
  assert.equal(panDistance(range, full, 50).chosen, chosen)
  assert.equal(panDistance(range, full, 200).chosen, undefined)
  assert.equal(followDistance(range, full, 2000)!.chosen, undefined)
})

test('shows the range between two places of a drag, whichever comes first', () => {
  assert.deepEqual(rangeBetween(300, 120, full), { minM: 120, maxM: 300 })
  assert.deepEqual(rangeBetween(-50, 100, full), { minM: 0, maxM: 100 })
  assert.deepEqual(rangeBetween(500, 502, full), { minM: 491, maxM: 511 })
  assert.equal(rangeBetween(-5, 4100, full), null)
})

test('notifies of changes only', () => {
  const view = createDistanceViewStore()
  let heard = 0
  view.subscribe(() => heard++)
  view.set(null)
  view.set({ minM: 1, maxM: 2 })
  view.set({ minM: 1, maxM: 2 })
  assert.equal(heard, 1)
  view.set({ minM: 1, maxM: 2, chosen: { name: 'Turn 1', startM: 1, endM: 2 } })
  assert.equal(heard, 2)
  view.set(null)
  assert.equal(heard, 3)
})
