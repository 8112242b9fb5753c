import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Corner, CornerComparison } from '@lapwing/telemetry/compare'
import {
  byLoss,
  type CornerColumn,
  cornerRows,
  costliestCorner,
  nextOrder,
  stretchAt,
} from './corner-rows.ts'

const aCorner = { startPct: 0, apexPct: 0.1, endPct: 0.2 } as Corner

function aStretch(
  name: string,
  startPct: number,
  lossMs: number,
  brakeM: number | null = null,
): CornerComparison {
  const kind = name.startsWith('Off') ? 'incident' : name.includes(' to ') ? 'straight' : 'corner'
  const figures = {
    entrySpeedMps: 40,
    liftM: 1000,
    isFlat: false,
    brakeM,
    releaseM: null,
    apexM: 3000 * startPct,
    minSpeedMps: 20 + startPct,
    throttleM: null,
    exitSpeedMps: null,
  }
  return {
    kind,
    name,
    startPct,
    endPct: startPct + 0.2,
    corner: kind === 'corner' ? aCorner : null,
    lap: kind === 'corner' ? figures : null,
    reference: kind === 'corner' ? figures : null,
    incident: null,
    lossS: lossMs / 1000,
    lossMs,
    toApexMs: kind === 'corner' ? Math.round(lossMs / 4) : null,
    referenceAtApexMps: null,
  }
}

const stretches = [
  aStretch('Line to Turn 1', 0, -12),
  aStretch('Turn 1', 0.1, 320, 240),
  aStretch('Turn 1 to Turn 2', 0.3, 7),
  aStretch('Turn 2', 0.4, -284),
  aStretch('Turn 3', 0.6, 41, 1390),
  aStretch('Off in Turn 3', 0.7, 90),
  aStretch('Turn 3 to line', 0.8, 40),
]
const names = (by: CornerColumn, isDescending: boolean) =>
  cornerRows(stretches, { by, isDescending }).rows.map(({ name }) => name)
const corners = (by: CornerColumn, isDescending: boolean) =>
  names(by, isDescending).filter(name => /^Turn \d$/.test(name))

test('lists corners, straights and incidents together, and their losses add up to the gap', () => {
  const { rows, gapMs } = cornerRows(stretches, { by: 'name', isDescending: false })
  assert.deepEqual(
    rows.map(({ name }) => name),
    stretches.map(({ name }) => name),
  )
  assert.equal(gapMs, 202)
})

test('ranks a straight and an off among the corners by their loss', () => {
  assert.deepEqual(names('loss', true), [
    'Turn 1',
    'Off in Turn 3',
    'Turn 3',
    'Turn 3 to line',
    'Turn 1 to Turn 2',
    'Line to Turn 1',
    'Turn 2',
  ])
})

test('rows sort by every column, either way, and what is not known comes last', () => {
  assert.deepEqual(corners('loss', true), ['Turn 1', 'Turn 3', 'Turn 2'])
  assert.deepEqual(corners('loss', false), ['Turn 2', 'Turn 3', 'Turn 1'])
  assert.deepEqual(corners('name', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  // Turn 2 has a lift only, at 1000 m.
  assert.deepEqual(corners('brake', false), ['Turn 1', 'Turn 2', 'Turn 3'])
  assert.deepEqual(corners('brake', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  assert.deepEqual(corners('apex', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  assert.deepEqual(corners('minSpeed', true), ['Turn 3', 'Turn 2', 'Turn 1'])
  assert.deepEqual(corners('throttle', true), ['Turn 1', 'Turn 2', 'Turn 3'])
  assert.deepEqual(
    names('minSpeed', true).slice(3),
    stretches.filter(({ lap }) => !lap).map(({ name }) => name),
  )
})

test('begins with the largest loss, and a column pressed again turns round', () => {
  assert.deepEqual(byLoss, { by: 'loss', isDescending: true })
  assert.deepEqual(nextOrder(byLoss, 'loss'), { by: 'loss', isDescending: false })
  const asDriven = nextOrder(byLoss, 'name')
  assert.deepEqual(asDriven, { by: 'name', isDescending: false })
  assert.deepEqual(nextOrder(asDriven, 'name'), { by: 'name', isDescending: true })
  assert.deepEqual(nextOrder(asDriven, 'loss'), byLoss)
})

test('finds the corner that cost most, which is neither a straight nor an off', () => {
  assert.equal(costliestCorner(stretches)?.name, 'Turn 1')
  assert.equal(costliestCorner(stretches.filter(({ lossMs }) => lossMs < 0)), null)
})

test('the stretch that is looked at is found by its place, whatever it is called', () => {
  const renamed = stretches.map(stretch => ({ ...stretch, name: `${stretch.name}a` }))
  assert.equal(stretchAt(renamed, 0.41, 0.59)?.name, 'Turn 2a')
  assert.equal(stretchAt(renamed, 0.08, 0.29)?.name, 'Turn 1a')
  assert.equal(stretchAt([], 0.1, 0.2), null)
})
