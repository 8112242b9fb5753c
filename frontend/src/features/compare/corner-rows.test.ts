import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CornerComparison } from '@lapwing/telemetry/compare'
import { asDriven, type CornerColumn, cornerRows, nextOrder, stretchAt } from './corner-rows.ts'

function aStretch(
  name: string,
  startPct: number,
  lossMs: number,
  brakeM: number | null = null,
): CornerComparison {
  const kind = name.startsWith('Turn') && !name.includes(' to ') ? 'corner' : 'straight'
  const figures = { brakeM, minSpeedMps: 20 + startPct, throttleM: null, exitSpeedMps: null }
  return {
    kind,
    name,
    startPct,
    endPct: startPct + 0.2,
    corner: null,
    lap: kind === 'corner' ? figures : null,
    reference: kind === 'corner' ? figures : null,
    lossS: lossMs / 1000,
    lossMs,
  }
}

const stretches = [
  aStretch('Line to Turn 1', 0, -12),
  aStretch('Turn 1', 0.1, 320, 240),
  aStretch('Turn 1 to Turn 2', 0.3, 7),
  aStretch('Turn 2', 0.4, -194),
  aStretch('Turn 3', 0.6, 41, 1390),
  aStretch('Turn 3 to line', 0.8, 40),
]
const names = (by: CornerColumn, isDescending: boolean) =>
  cornerRows(stretches, { by, isDescending }).corners.map(({ name }) => name)

test('separates corners and straights, whose losses add up to the gap', () => {
  const { corners, straights, straightsMs, gapMs } = cornerRows(stretches, asDriven)
  assert.deepEqual(
    corners.map(({ name }) => name),
    ['Turn 1', 'Turn 2', 'Turn 3'],
  )
  assert.deepEqual(
    straights.map(({ name }) => name),
    ['Line to Turn 1', 'Turn 1 to Turn 2', 'Turn 3 to line'],
  )
  assert.equal(straightsMs, 35)
  assert.equal(gapMs, 202)
  assert.equal(
    corners.reduce((sum, { lossMs }) => sum + lossMs, straightsMs),
    gapMs,
  )
})

test('rows sort by every column, either way, and what is not known comes last', () => {
  assert.deepEqual(names('loss', true), ['Turn 1', 'Turn 3', 'Turn 2'])
  assert.deepEqual(names('loss', false), ['Turn 2', 'Turn 3', 'Turn 1'])
  assert.deepEqual(names('name', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  assert.deepEqual(names('brake', false), ['Turn 1', 'Turn 3', 'Turn 2'])
  assert.deepEqual(names('brake', true), ['Turn 3', 'Turn 1', 'Turn 2'])
  assert.deepEqual(names('minSpeed', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  assert.deepEqual(names('throttle', true), ['Turn 1', 'Turn 2', 'Turn 3'])
})

test('a column pressed again turns round, and losses begin with the largest', () => {
  const byLoss = nextOrder(asDriven, 'loss')
  assert.deepEqual(byLoss, { by: 'loss', isDescending: true })
  assert.deepEqual(nextOrder(byLoss, 'loss'), { by: 'loss', isDescending: false })
  assert.deepEqual(nextOrder(byLoss, 'brake'), { by: 'brake', isDescending: false })
  assert.deepEqual(nextOrder(asDriven, 'name'), { by: 'name', isDescending: true })
})

test('the stretch that is looked at is found by its place, whatever it is called', () => {
  const renamed = stretches.map(stretch => ({ ...stretch, name: `${stretch.name}a` }))
  assert.equal(stretchAt(renamed, 0.41, 0.59)?.name, 'Turn 2a')
  assert.equal(stretchAt(renamed, 0.08, 0.29)?.name, 'Turn 1a')
  assert.equal(stretchAt([], 0.1, 0.2), null)
})
