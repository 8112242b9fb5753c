import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@lapwing/simulator/random'
import type { CornerFigures } from '@lapwing/telemetry/compare'
import { cornerSentence } from './corner-sentence.ts'

const kmh = (speed: number) => speed / 3.6

/** A corner that the reference drives with everything. */
const reference: CornerFigures = {
  liftM: 290,
  brakeM: 300,
  releaseM: 340,
  apexM: 357,
  minSpeedMps: kmh(92),
  throttleM: 360,
  exitSpeedMps: kmh(128),
}
const flat: CornerFigures = {
  ...reference,
  liftM: null,
  brakeM: null,
  releaseM: null,
  throttleM: null,
}
const lifting: CornerFigures = { ...reference, brakeM: null, releaseM: null }

const cases: readonly (readonly [string, Partial<CornerFigures>, CornerFigures, string | null])[] = [
  [
    'a late release and an early apex',
    { releaseM: 348, apexM: 336, minSpeedMps: kmh(80) },
    reference,
    'You released the brake 8 m later and were slowest 21 m earlier: 80 against 92 km/h at 336 m.',
  ],
  [
    'an early brake point and a late throttle',
    { brakeM: 288, minSpeedMps: kmh(88), throttleM: 374, exitSpeedMps: kmh(120) },
    reference,
    'You braked 12 m earlier and were slower at the apex: 88 against 92 km/h at 357 m. You were back on the throttle 14 m later and left at 120 against 128 km/h.',
  ],
  ['another apex at the same speed', { apexM: 362 }, reference, 'You were slowest 5 m later, at 362 m.'],
  [
    'a faster apex',
    { minSpeedMps: kmh(95) },
    reference,
    'You were faster at the apex: 95 against 92 km/h at 357 m.',
  ],
  ['a slow exit alone', { exitSpeedMps: kmh(124) }, reference, 'You left at 124 against 128 km/h.'],
  ['a driver who only lifts', lifting, reference, 'You only lifted where the reference braked.'],
  [
    'a driver who brakes beside one who lifts',
    reference,
    lifting,
    'You braked where the reference only lifted.',
  ],
  ['two who lift', { ...lifting, liftM: 284 }, lifting, 'You lifted 6 m earlier.'],
  ['a corner taken flat by both', flat, flat, 'You drove it like the reference, within 3 m and 1 km/h.'],
  [
    'differences that are too small',
    { brakeM: 302, minSpeedMps: kmh(92.6) },
    reference,
    'You drove it like the reference, within 3 m and 1 km/h.',
  ],
  [
    'a lap that shows nothing here, as under an incident',
    {
      liftM: null,
      brakeM: null,
      releaseM: null,
      apexM: null,
      minSpeedMps: null,
      throttleM: null,
      exitSpeedMps: null,
    },
    reference,
    null,
  ],
]

for (const [name, own, other, sentence] of cases) {
  test(`explains ${name}`, () => {
    assert.equal(cornerSentence({ ...reference, ...own }, other, 'km/h'), sentence)
  })
}

test('speaks in the chosen unit', () => {
  assert.equal(
    cornerSentence({ ...reference, minSpeedMps: kmh(80) }, reference, 'mph'),
    'You were slower at the apex: 50 against 57 mph at 357 m.',
  )
})

test('says at most two sentences, the same each time, and the opposite for the other driver', () => {
  const random = randomFrom(7)
  const figure = (from: number, to: number) => (random() < 0.2 ? null : from + (to - from) * random())
  const figures = (): CornerFigures => ({
    liftM: figure(280, 300),
    brakeM: figure(290, 310),
    releaseM: figure(320, 350),
    apexM: figure(335, 360),
    minSpeedMps: figure(20, 28),
    throttleM: figure(350, 380),
    exitSpeedMps: figure(30, 40),
  })
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [figures(), figures()]
    const said = cornerSentence(a, b, 'km/h')
    assert.equal(cornerSentence(a, b, 'km/h'), said)
    const opposite = cornerSentence(b, a, 'km/h')
    assert.equal(said === null, opposite === null)
    if (said === null || opposite === null) continue
    assert.match(said, /^You [^.]+\.( You [^.]+\.)?$/)
    assert.doesNotMatch(said, /NaN|null|undefined/)
    const count = (text: string, word: string) => text.split(word).length - 1
    assert.equal(count(said, ' later'), count(opposite, ' earlier'), `${said}\n${opposite}`)
    assert.equal(count(said, ' slower'), count(opposite, ' faster'))
    assert.equal(count(said, 'only lifted where'), count(opposite, 'braked where'))
  }
})

test('uses the numbers that the table shows', () => {
  // 12.4 m apart, but 561 and 548 in the table.
  const own = { ...reference, brakeM: 560.6 }
  assert.equal(cornerSentence(own, { ...reference, brakeM: 548.2 }, 'km/h'), 'You braked 13 m later.')
  // Hardly apart, but 80 and 81 in the table.
  assert.match(
    cornerSentence({ ...own, minSpeedMps: kmh(80.49) }, { ...own, minSpeedMps: kmh(80.51) }, 'km/h')!,
    /like the reference/,
  )
})
