import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@lapwing/simulator/random'
import type { CornerComparison, CornerFigures } from '@lapwing/telemetry/compare'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { apexWords, cornerSentence as sentenceOf, stretchSentence } from './corner-sentence.ts'

const kmh = (speed: number) => speed / 3.6

/** Explains a corner in which the reference has its lowest speed where the lap is slowest, unless it is given. */
function cornerSentence(
  lap: CornerFigures,
  reference: CornerFigures,
  lossMs: number,
  unit: SpeedUnit,
  referenceAtApexMps = reference.minSpeedMps,
): string | null {
  return sentenceOf({ lap, reference, lossMs, referenceAtApexMps }, unit)
}

/** A corner that the reference drives with everything. */
const reference: CornerFigures = {
  entrySpeedMps: kmh(160),
  liftM: 290,
  isFlat: false,
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
  isFlat: true,
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
    'You were faster at the apex: 95 against 92 km/h at 357 m. You lost the time elsewhere in the corner: compare the traces.',
  ],
  ['a slow exit alone', { exitSpeedMps: kmh(124) }, reference, 'You left at 124 against 128 km/h.'],
  [
    'a driver who only lifts',
    lifting,
    reference,
    'You only lifted where the reference braked. You lost the time elsewhere in the corner: compare the traces.',
  ],
  [
    'a driver who brakes beside one who lifts',
    reference,
    lifting,
    'You braked where the reference only lifted.',
  ],
  ['two who lift', { ...lifting, liftM: 284 }, lifting, 'You lifted 6 m earlier.'],
  [
    'a driver who lifts beside one who does not',
    { ...lifting, minSpeedMps: kmh(88) },
    flat,
    'You lifted where the reference stayed on the throttle and were slower at the apex: 88 against 92 km/h at 357 m.',
  ],
  [
    'a driver who brakes beside one who does not lift',
    reference,
    flat,
    'You braked where the reference stayed on the throttle.',
  ],
  [
    'a driver who does not lift',
    flat,
    lifting,
    'You stayed on the throttle where the reference lifted. You lost the time elsewhere in the corner: compare the traces.',
  ],
  [
    'the difference that cost time before a larger one that did not',
    { brakeM: 294, releaseM: 331 },
    reference,
    'You braked 6 m earlier.',
  ],
  [
    'a slow arrival, if nothing in the corner cost time',
    { entrySpeedMps: kmh(151), brakeM: 306, minSpeedMps: kmh(94) },
    reference,
    'You arrived at 151 against 160 km/h and were faster at the apex: 94 against 92 km/h at 357 m.',
  ],
  [
    'a fast arrival, which cost nothing',
    { entrySpeedMps: kmh(165), brakeM: 306 },
    reference,
    'You braked 6 m later. You lost the time elsewhere in the corner: compare the traces.',
  ],
  [
    'a lap without pedals',
    { liftM: null, brakeM: null, releaseM: null, throttleM: null },
    reference,
    'Your lowest speed was the same, within 1 km/h.',
  ],
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
      entrySpeedMps: null,
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

/** All of these lost time. */
const LOST_MS = 40

for (const [name, own, other, sentence] of cases) {
  test(`explains ${name}`, () => {
    assert.equal(cornerSentence({ ...reference, ...own }, other, LOST_MS, 'km/h'), sentence)
  })
}

test('compares the speeds at one place if the laps are slowest at two', () => {
  const said = (own: Partial<CornerFigures>, at: number | null) =>
    cornerSentence({ ...reference, ...own }, reference, LOST_MS, 'km/h', at)
  assert.equal(
    said({ apexM: 335, minSpeedMps: kmh(91) }, kmh(106)),
    'You were slowest 22 m earlier: 91 against 106 km/h at 335 m.',
  )
  assert.equal(
    said({ apexM: 335, minSpeedMps: kmh(91) }, null),
    'You were slowest 22 m earlier: 91 against 92 km/h at 335 m.',
  )
  assert.equal(
    said({ minSpeedMps: kmh(88) }, kmh(106)),
    'You were slower at the apex: 88 against 92 km/h at 357 m.',
  )
})

test('speaks in the chosen unit', () => {
  assert.equal(
    cornerSentence({ ...reference, minSpeedMps: kmh(80) }, reference, LOST_MS, 'mph'),
    'You were slower at the apex: 50 against 57 mph at 357 m.',
  )
})

/** Figures of which each may be unknown. */
function anyFigures(random: () => number): CornerFigures {
  const figure = (from: number, to: number) => (random() < 0.2 ? null : from + (to - from) * random())
  const figures = {
    entrySpeedMps: figure(40, 44),
    liftM: figure(280, 300),
    brakeM: figure(290, 310),
    releaseM: figure(320, 350),
    apexM: figure(335, 360),
    minSpeedMps: figure(20, 28),
    throttleM: figure(350, 380),
    exitSpeedMps: figure(30, 40),
  }
  const { liftM, brakeM, releaseM } = figures
  return { ...figures, isFlat: liftM === null && brakeM === null && releaseM === null && random() < 0.5 }
}

test('says at most two sentences, the same each time, and the opposite for the other driver', () => {
  const random = randomFrom(7)
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [anyFigures(random), anyFigures(random)]
    const lossMs = Math.round(200 * random() - 100)
    const said = cornerSentence(a, b, lossMs, 'km/h')
    assert.equal(cornerSentence(a, b, lossMs, 'km/h'), said)
    const opposite = cornerSentence(b, a, -lossMs, 'km/h')
    assert.equal(said === null, opposite === null)
    if (said === null || opposite === null) continue
    assert.match(said, /^Your? [^.]+\.( (You|But you) [^.]+\.)?$/)
    assert.doesNotMatch(said, /NaN|null|undefined|-/)
    const count = (text: string, word: string) => text.split(word).length - 1
    assert.equal(count(said, ' later'), count(opposite, ' earlier'), `${said}\n${opposite}`)
    assert.equal(count(said, ' slower'), count(opposite, ' faster'))
    assert.equal(count(said, 'arrived'), count(opposite, 'arrived'))
    assert.equal(count(said, 'only lifted where'), count(opposite, 'braked where the reference only'))
    assert.equal(count(said, 'stayed on the throttle where'), count(opposite, 'where the reference stayed'))
  }
})

test('says nothing that the figures of the table do not say', () => {
  const random = randomFrom(9)
  const places = {
    braked: 'brakeM',
    'released the brake': 'releaseM',
    lifted: 'liftM',
    'were slowest': 'apexM',
    'were back on the throttle': 'throttleM',
  } as const
  const speeds = { 'arrived at': 'entrySpeedMps', 'left at': 'exitSpeedMps' } as const
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [anyFigures(random), anyFigures(random)]
    const there = random() < 0.2 ? null : 20 + 20 * random()
    const said = cornerSentence(a, b, Math.round(200 * random() - 100), 'km/h', there) ?? ''
    const shown = (speed: number | null) => String(Math.round(3.6 * speed!))
    for (const [words, figure] of Object.entries(places)) {
      const place = new RegExp(`${words} (\\d+) m (later|earlier)`).exec(said)
      if (!place) continue
      const later = Math.round(a[figure]!) - Math.round(b[figure]!)
      assert.equal(later, Number(place[1]) * (place[2] === 'later' ? 1 : -1), said)
      assert.ok(Math.abs(later) >= 3, said)
    }
    for (const [words, figure] of Object.entries(speeds)) {
      const pair = new RegExp(`${words} (\\d+) against (\\d+) km/h`).exec(said)
      if (pair) assert.deepEqual(pair.slice(1), [shown(a[figure]), shown(b[figure])], said)
    }
    const apex = /: (\d+) against (\d+) km\/h at (\d+) m\./.exec(said)
    if (apex) {
      const other = said.includes('were slowest') ? (there ?? b.minSpeedMps) : b.minSpeedMps
      assert.deepEqual(
        apex.slice(1),
        [shown(a.minSpeedMps), shown(other), String(Math.round(a.apexM!))],
        said,
      )
    }
    if (said.includes(' faster at the apex')) assert.ok(a.minSpeedMps! > b.minSpeedMps!, said)
    if (said.includes('stayed on the throttle')) assert.ok(a.isFlat !== b.isFlat, said)
  }
})

test('never begins with a gain under a loss, if something before the apex cost time', () => {
  const random = randomFrom(8)
  const isLater = (own: number | null, other: number | null) =>
    own !== null && other !== null && Math.round(own) - Math.round(other) >= 3
  let count = 0
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [anyFigures(random), anyFigures(random)]
    const said = cornerSentence(a, b, LOST_MS, 'km/h') ?? ''
    if (!/^You braked \d+ m later/.test(said)) continue
    count++
    assert.ok(!isLater(a.releaseM, b.releaseM), said)
    const isSlower = Math.round(3.6 * (a.entrySpeedMps ?? 99)) <= Math.round(3.6 * (b.entrySpeedMps ?? 0)) - 2
    assert.ok(!isSlower, said)
  }
  assert.ok(count > 100)
})

test('says that the figures do not explain a loss or gain that they contradict', () => {
  const said = (own: Partial<CornerFigures>, lossMs: number) =>
    cornerSentence({ ...reference, ...own }, reference, lossMs, 'km/h')!
  const elsewhere = /^You braked 6 m (later|earlier)\. You (lost|gained) the time elsewhere in the corner/
  assert.equal(elsewhere.exec(said({ brakeM: 306, throttleM: 350 }, 30))?.[2], 'lost')
  assert.equal(elsewhere.exec(said({ brakeM: 294, throttleM: 370 }, -30))?.[2], 'gained')
  assert.doesNotMatch(said({ brakeM: 306, throttleM: 350 }, 29), /elsewhere/)
  assert.equal(
    said({ brakeM: 306, throttleM: 370 }, 30),
    'You braked 6 m later. But you were back on the throttle 10 m later.',
  )
  assert.equal(
    said({ brakeM: 294, throttleM: 350 }, 30),
    'You braked 6 m earlier. But you were back on the throttle 10 m earlier.',
  )
  assert.doesNotMatch(said({ apexM: 362 }, 30), /elsewhere/)
})

test('explains a straight by the speeds at its ends, if they are the reason', () => {
  const [corner, straight] = [
    { kind: 'corner', name: 'Turn 4', lap: { ...reference, exitSpeedMps: kmh(122) }, reference, lossMs: 20 },
    { kind: 'straight', name: 'Turn 4 to Turn 5', lap: null, reference: null, lossMs: 31 },
  ] as CornerComparison[]
  assert.equal(
    stretchSentence([corner!, straight!], straight!, 'km/h'),
    'You left Turn 4 at 122 against 128 km/h.',
  )
  const slow = { ...corner!, lap: { ...reference, entrySpeedMps: kmh(155) } }
  assert.equal(
    stretchSentence([corner!, straight!, slow], straight!, 'km/h'),
    'You left Turn 4 at 122 against 128 km/h and reached Turn 4 at 155 against 160 km/h.',
  )
  assert.equal(
    stretchSentence([straight!, corner!], straight!, 'km/h'),
    'You lost the time on the way: compare the traces.',
  )
  const gained = { ...straight!, lossMs: -31 }
  assert.equal(
    stretchSentence([corner!, gained], gained, 'km/h'),
    'You gained the time on the way: compare the traces.',
  )
  const small = { ...straight!, lossMs: 29 }
  assert.equal(stretchSentence([small], small, 'km/h'), null)
  assert.equal(stretchSentence([corner!, straight!], corner!, 'km/h'), 'You left at 122 against 128 km/h.')
})

test('uses the numbers that the table shows', () => {
  // 12.4 m apart, but 561 and 548 in the table.
  const own = { ...reference, brakeM: 560.6 }
  assert.equal(
    cornerSentence(own, { ...reference, brakeM: 548.2 }, LOST_MS, 'km/h'),
    'You braked 13 m later. You lost the time elsewhere in the corner: compare the traces.',
  )
  // Hardly apart, but 80 and 81 in the table.
  assert.match(
    cornerSentence(
      { ...own, minSpeedMps: kmh(80.49) },
      { ...own, minSpeedMps: kmh(80.51) },
      LOST_MS,
      'km/h',
    )!,
    /like the reference/,
  )
})

test('says how much was lost before and after the apex, if either is 0.03 s', () => {
  const said = (lossMs: number, toApexMs: number | null) => apexWords({ lossMs, toApexMs })
  assert.equal(said(211, 180), '+0.180 to the apex, +0.031 after it')
  assert.equal(said(-5, 30), '+0.030 to the apex, −0.035 after it')
  assert.equal(said(29, 0), null)
  assert.equal(said(58, 29), null)
  assert.equal(said(1492, null), null)
})
