import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CornerElements, positionCorners, positionIncidents } from './corner-lines.ts'

function elements(count: number): CornerElements {
  const some = () =>
    Array.from(
      { length: count },
      () => ({ hidden: false, style: { transform: '' } }) as unknown as HTMLElement,
    )
  return { strip: some()[0]!, numbers: some(), lines: some() }
}

const at = (...apexes: number[]) =>
  apexes.map((apexM, i) => ({
    name: `Turn ${i + 1}`,
    label: String(i + 1),
    startM: apexM - 10,
    apexM,
    endM: apexM + 10,
  }))

test('marks corners at their apexes, and hides those outside the range', () => {
  const found = elements(3)
  positionCorners(found, at(100, 500, 900), { minM: 400, maxM: 800 }, 200)
  assert.deepEqual(
    found.lines.map(line => line.hidden),
    [true, false, true],
  )
  assert.deepEqual(
    found.numbers.map(number => number.hidden),
    [true, false, true],
  )
  assert.equal(found.lines[1]!.style.transform, 'translateX(50.0px)')
})

test('writes only the first of two numbers that would touch, and draws both lines', () => {
  const found = elements(3)
  positionCorners(found, at(100, 110, 150), { minM: 0, maxM: 1000 }, 500)
  assert.deepEqual(
    found.numbers.map(number => number.hidden),
    [false, true, false],
  )
  assert.deepEqual(
    found.lines.map(line => line.hidden),
    [false, false, false],
  )
})

test('marks an incident over its part of the lap, with its words inside the plot', () => {
  const marks = Array.from(
    { length: 3 },
    () => ({ hidden: false, style: {}, dataset: {} }) as unknown as HTMLElement,
  )
  const incident = (startM: number, endM: number) =>
    ({ name: '', label: 'Off', of: 'lap', startM, endM, lossS: 1 }) as const
  const incidents = [incident(100, 200), incident(700, 700), incident(850, 900)]
  positionIncidents(marks, incidents, { minM: 0, maxM: 800 }, 400)
  assert.deepEqual(
    marks.map(({ hidden, style, dataset }) => [hidden, style.transform, style.width, dataset.side]),
    [
      [false, 'translateX(50.0px)', '50.0px', 'right'],
      [false, 'translateX(350.0px)', '3.0px', 'left'],
      [true, 'translateX(425.0px)', '25.0px', 'left'],
    ],
  )
})
