import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createDistanceViewStore, followDistance, panDistance, zoomDistance } from './distance-view-store.ts'

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

test('notifies of changes only', () => {
  const view = createDistanceViewStore()
  let heard = 0
  view.subscribe(() => heard++)
  view.set(null)
  view.set({ minM: 1, maxM: 2 })
  view.set({ minM: 1, maxM: 2 })
  assert.equal(heard, 1)
  view.set({ minM: 1, maxM: 2, name: 'Turn 1' })
  assert.equal(heard, 2)
  view.set(null)
  assert.equal(heard, 3)
})
