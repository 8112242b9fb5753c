import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stint, StintChange } from '@lapwing/telemetry/stints'
import { changeWords, stintFigures } from './stint-words.ts'

const units = { speed: 'km/h', temperature: 'celsius' } as const

test('says a change with both values, in the driver’s units', () => {
  const cases: [StintChange, string][] = [
    [{ of: 'fuel', from: 20, to: 60 }, 'Fuel at the start: 20.0 → 60.0 L (+40.0)'],
    [{ of: 'fuel', from: 60, to: 20 }, 'Fuel at the start: 60.0 → 20.0 L (−40.0)'],
    [{ of: 'tyres', from: 0.97, to: 0.9994 }, 'Tyres changed: tread 97 → 99.9 %'],
    [{ of: 'tyres', from: 0.9996, to: 1 }, 'Tyres changed: tread 99.9 → 100 %'],
    [{ of: 'tyreTemps', from: 70, to: 78.2 }, 'Tyres: 70 °C → 78 °C'],
    [{ of: 'air', from: 20, to: 21 }, 'Air: 20 °C → 21 °C'],
    [{ of: 'track', from: 30, to: 33 }, 'Track: 30 °C → 33 °C'],
    [{ of: 'wetness', from: 1, to: 4 }, 'Track surface: dry → lightly wet'],
    [{ of: 'wind', from: 2, to: 4 }, 'Wind: 7 → 14 km/h'],
  ]
  for (const [change, text] of cases) assert.equal(changeWords(change, units).join(': '), text)
  const imperial = { speed: 'mph', temperature: 'fahrenheit' } as const
  assert.deepEqual(changeWords({ of: 'track', from: 30, to: 33 }, imperial)[1], '86 °F → 91 °F')
})

test('lists the figures of a stint that are recorded, and no others', () => {
  const bare: Stint = {
    number: 1,
    laps: [],
    measured: { laps: [], areClean: false },
    pace: null,
    fuelStartL: null,
    fuelEndL: null,
    fuelALapL: null,
    airTempC: null,
    trackTempC: null,
    wetness: null,
    windMps: null,
    tyreTempsC: [],
    treadStart: [],
    treadEnd: [],
  }
  assert.deepEqual(stintFigures(bare, units), [])
  const full = {
    ...bare,
    fuelStartL: 40.04,
    fuelEndL: 0,
    tyreTempsC: [70, 72, 80, 82],
    treadStart: [1, 1, 0.98, 0.999],
    wetness: 0,
    windMps: 0,
  }
  assert.deepEqual(stintFigures(full, units), [
    ['Fuel', '40.0 → 0.0 L'],
    ['Tyres, front', '70 / 72 °C'],
    ['Tyres, rear', '80 / 82 °C'],
    ['Tread at the start', '100 / 100 / 98 / 99.9 %'],
    ['Wind', '0 km/h'],
  ])
})
