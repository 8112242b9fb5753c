import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSessionFacts } from './read-session-facts.ts'
import type { SessionFacts } from './session-facts.ts'

const read = (text: string): SessionFacts => readSessionFacts(new TextEncoder().encode(text))

/** Returns each character as one byte, as in Windows-1252 from U+00A0 on. */
const readBytes = (text: string): SessionFacts =>
  readSessionFacts(Uint8Array.from(text, char => char.charCodeAt(0)))

/** Returns a text of the usual shape, with one part replaced. */
function sessionText({
  weekend = '',
  name = 'Ann Driver',
  others = '',
  setup = '',
  tail = '...\n',
} = {}): string {
  return `---
WeekendInfo:
 TrackName: okayama full
 TrackID: 166
 TrackLength: 3.6552 km
 TrackLengthOfficial: 3.70 km
 TrackDisplayName: Okayama International Circuit
 TrackConfigName: Full Course
${weekend} TrackSkies: Partly Cloudy
 TrackAirTemp: 21.40 C
 TrackVersion: 2025.08.12.01
 SeriesID: 431
 SeasonID: 5580
 RaceWeek: 3
 TeamRacing: 0
 BuildVersion: 2025.09.10.02
 WeekendOptions:
  Skies: Overcast
  TimeOfDay: 2:05 pm
  IsFixedSetup: 1
 TelemetryOptions:
  TelemetryDiskFile: "C:\\Users\\canary\\telemetry"

SessionInfo:
 CurrentSessionNum: 1
 Sessions:
 - SessionNum: 0
   SessionType: Practice
   ResultsPositions:
   - Position: 1
     CarIdx: 4
     SessionNum: 77
   SessionName: PRACTICE
 - SessionNum: 1
   SessionType: Race

CameraInfo:
 Groups:
 - GroupNum: 1
   GroupName: Nose
   TrackID: 999

DriverInfo:
 DriverCarIdx: 2
 DriverUserID: 200002
 DriverCarRedLine: 7300.000
 DriverCarSLShiftRPM: 7100.000
 DriverCarVersion: 2025.08.01.01
 DriverSetupName: canary secret.sto
 Drivers:
 - CarIdx: 0
   UserName: canary one
   UserID: 900001
   TeamID: 900002
   CarPath: canarycar
   CarID: 900003
   CarScreenName: canary car
${others} - CarIdx: 2
   UserName: ${name}
   UserID: 200002
   TeamID: 0
   CarPath: mx5 mx52016
   CarID: 67
   CarScreenName: Mazda MX-5 Cup

SplitTimeInfo:
 Sectors:
 - SectorNum: 0
   SectorStartPct: 0.000000
 - SectorNum: 1
   SectorStartPct: 0.289412
 - SectorNum: 2
   SectorStartPct: 0.702000

CarSetup:
 UpdateCount: 3
${setup}${tail}`
}

const expected: SessionFacts = {
  trackId: 166,
  trackName: 'okayama full',
  trackDisplayName: 'Okayama International Circuit',
  trackConfigName: 'Full Course',
  trackLengthM: 3655.2,
  trackVersion: '2025.08.12.01',
  airTempC: 21.4,
  skies: 1,
  timeOfDayS: 50_700,
  carId: 67,
  carPath: 'mx5 mx52016',
  carScreenName: 'Mazda MX-5 Cup',
  carVersion: '2025.08.01.01',
  userId: 200002,
  isTeamSession: false,
  buildVersion: '2025.09.10.02',
  isFixedSetup: true,
  seriesId: 431,
  seasonId: 5580,
  raceWeek: 3,
  redLineRpm: 7300,
  shiftRpm: 7100,
  sessionTypes: new Map([
    [0, 'Practice'],
    [1, 'Race'],
  ]),
  sessionNames: new Map([
    [0, 'Practice'],
    [1, 'Race'],
  ]),
  sectorStarts: [0, 0.289412, 0.702],
  setupDigest: null,
}

const empty: SessionFacts = {
  ...(Object.fromEntries(Object.keys(expected).map(key => [key, null])) as unknown as SessionFacts),
  isTeamSession: false,
  sessionTypes: new Map(),
  sessionNames: new Map(),
  sectorStarts: [],
}

/** Returns everything that leaves the module, maps included, as one string. */
const serialised = (facts: SessionFacts): string =>
  JSON.stringify(facts, (_, value) => (value instanceof Map ? [...value] : value))

test('tells set-ups apart by a digest, whatever the count of changes', () => {
  const digest = (setup: string) => read(sessionText({ setup })).setupDigest
  const soft = ' Chassis:\n  FrontArb: 1\n'
  assert.match(digest(soft)!, /^[0-9a-f]{8}$/)
  assert.equal(digest(soft), digest(` UpdateCount: 9\n${soft}`))
  assert.notEqual(digest(soft), digest(' Chassis:\n  FrontArb: 2\n'))
})

test('finds every fact, the driver by DriverCarIdx', () => {
  assert.deepEqual(read(sessionText()), expected)
})

// A YAML parser refuses each of these texts or reads it wrongly; the facts are the same for all.
const names = [
  'a: b',
  'x # y',
  '@home, {you} [me]',
  `"quoted' \\ name`,
  '- -11',
  '? what',
  ',comma',
  '&anchor *alias !tag |pipe >fold %percent `tick`',
  '...',
  '---',
  'CarIdx: 0',
  'UserID: 1',
  'first line\nsecond line',
  'first line\nUserID: 1',
  'first line\n...',
  'first line\n---\n- x: y',
  'first line\nTrackID: 1',
  'bell\u0007 and escape\u001b',
  'Jürgen Žižka 走る 🏁',
  '',
]
for (const name of names) {
  test(`finds the facts with a driver named ${JSON.stringify(name)}`, () => {
    assert.deepEqual(read(sessionText({ name })), expected)
    const others = ` - CarIdx: 1\n   UserName: ${name}\n   UserID: 900009\n`
    assert.deepEqual(read(sessionText({ others })), expected)
  })
}

const shapes: [why: string, text: string][] = [
  ['Windows line ends', sessionText().replaceAll('\n', '\r\n')],
  ['padding with NULs', sessionText() + '\0'.repeat(500)],
  ['an older text behind the NUL', `${sessionText()}\0 TrackID: 5\nDriverInfo:\n DriverCarIdx: 0\n`],
  ['no end mark', sessionText({ tail: '' })],
  ['padding with spaces', sessionText({ tail: `...\n${' '.repeat(300)}` })],
  [
    'a second document',
    `${sessionText()}---\nWeekendInfo:\n TrackID: 5\nDriverInfo:\n DriverCarIdx: 0\n...\n`,
  ],
  ['a document before it', `---\nVRS:\n TrackID: 5\n...\n${sessionText()}`],
  ['text after the end mark', `${sessionText()}WeekendInfo:\n TrackID: 5\n`],
  ['no start mark', sessionText().slice(4)],
  ['keys twice in the set-up', sessionText({ setup: ' Drivetrain:\n  At: 1\n  At: 2\n  At: 3\n' })],
  ['a key twice: the first counts', sessionText({ weekend: ' TrackID: 5\n TrackName: other\n' })],
  ['a key of another level', sessionText({ weekend: ' Nested:\n  TrackVersion: 9\n  SeriesID: 9\n' })],
  ['quoted values', sessionText().replace('okayama full', '"okayama full"').replace('166', "'166'")],
  ['lists deeper than their keys', sessionText().replaceAll(/^( - | {3})/gm, ' $1')],
]
for (const [why, text] of shapes) {
  test(`finds the facts: ${why}`, () => {
    assert.deepEqual({ ...read(text), setupDigest: null }, expected)
  })
}

test('decodes each value alone: Windows-1252, UTF-8, and another name in the other encoding', () => {
  const text = sessionText({ name: 'J\u00fcrgen' }).replace(
    'Okayama International Circuit',
    'N\u00fcrburgring \u0096 S\u00fcd',
  )
  assert.equal(readBytes(text).trackDisplayName, 'Nürburgring – Süd')
  const mixed = text.replace('N\u00fcrburgring \u0096 S\u00fcd', 'N\u00c3\u00bcrburgring')
  assert.equal(readBytes(mixed).trackDisplayName, 'Nürburgring')
})

test('removes characters without width from a name, which would get its own boards', () => {
  const { trackDisplayName } = read(
    sessionText().replace('Okayama Int', '\ufeffOka\u200bya\u00adma\u2060 \u200dInt'),
  )
  assert.equal(trackDisplayName, 'Okayama International Circuit')
})

test('removes marks from a name that change the direction of the text around it', () => {
  const { trackDisplayName } = read(sessionText().replace('Okayama Int', '\u202eOkayama\u2066 \u200fInt'))
  assert.equal(trackDisplayName, 'Okayama International Circuit')
})

test('returns null for a length of less than a millimetre', () => {
  assert.equal(read(sessionText().replace('3.6552 km', '0.0000001 km')).trackLengthM, null)
})

test('returns null for an empty layout name', () => {
  assert.equal(read(sessionText().replace('Full Course', '')).trackConfigName, null)
})

test('marks a session as team session if an entry has a team', () => {
  assert.equal(read(sessionText().replace('TeamID: 0', 'TeamID: 41')).isTeamSession, true)
  assert.equal(read(sessionText().replace('TeamRacing: 0', 'TeamRacing: 1')).isTeamSession, true)
})

test('uses no car without an entry for DriverCarIdx, and DriverUserID as driver', () => {
  const facts = read(sessionText().replace('DriverCarIdx: 2', 'DriverCarIdx: 63'))
  assert.equal(facts.carPath, null)
  assert.equal(facts.carId, null)
  assert.equal(facts.userId, 200002)
  assert.equal(read(sessionText().replace(' DriverCarIdx: 2\n', '')).carPath, null)
})

test('returns no driver number for the computer driver -1', () => {
  assert.equal(read(sessionText().replace('   UserID: 200002', '   UserID: -1')).userId, null)
})

const lengths: [text: string, metres: number | null][] = [
  ['0.8282 km', 828.2],
  ['20.832 km', 20_832],
  ['2.5 mi', 4023.36],
  ['828.2 m', 828.2],
  ['0.00 km', null],
  ['-1 km', null],
  ['far', null],
  ['5 furlongs', null],
  ['5 constructor', null],
  ['5', null],
]
for (const [text, metres] of lengths) {
  test(`reads a track length of ${text} as ${metres} m`, () => {
    assert.equal(read(sessionText().replace('3.6552 km', text)).trackLengthM, metres)
  })
}

const skies: [text: string, skies: SessionFacts['skies']][] = [
  ['Clear', 0],
  ['Partly Cloudy', 1],
  ['Mostly Cloudy', 2],
  ['Overcast', 3],
  ['Dynamic', null],
  ['constructor', null],
]
for (const [text, number] of skies) {
  test(`reads skies ${text} as ${number}`, () => {
    assert.equal(read(sessionText().replace('Partly Cloudy', text)).skies, number)
  })
}

test('returns sectors as ascending shares from 0 on, without invalid ones', () => {
  const text = sessionText().replace('0.000000', '0.9').replace('0.289412', '1.5').replace('0.702000', '-0.2')
  assert.deepEqual(read(text).sectorStarts, [0, 0.9])
})

test('cuts a long list and a long value', () => {
  const sessions = Array.from({ length: 5000 }, (_, i) => ` - SessionNum: ${i}\n   SessionType: Race\n`).join(
    '',
  )
  const facts = read(
    `---\nWeekendInfo:\n TrackName: ${'x'.repeat(5000)}\nSessionInfo:\n Sessions:\n${sessions}...\n`,
  )
  assert.equal(facts.sessionTypes.size, 64)
  assert.equal(facts.trackName?.length, 128)
})

test('never cuts through a character', () => {
  const facts = read(`WeekendInfo:\n TrackName: x${'🏁'.repeat(100)}\n`)
  assert.ok(facts.trackName?.isWellFormed())
})

// D-12: other drivers and paths stay inside, wherever a name with a line break may move them.
test('returns no other driver, set-up name or path', () => {
  for (const name of names) {
    const others = ` - CarIdx: 1\n   UserName: canary ${name}\n   TeamName: canary\n   CarPath: canary\n   UserID: 900009\n`
    const result = serialised(read(sessionText({ name: 'canary driver', others })))
    assert.doesNotMatch(result, /canary|9000\d\d/)
  }
})

test('reads any bytes without an error, within the limits', () => {
  const keys = [...sessionText().matchAll(/\w+:/g)].map(match => match[0])
  const piece = fc.oneof(
    fc.constantFrom(...keys, ' ', '  ', '- ', '\n', '---\n', '...\n', '\0', '\r', '"'),
    fc.string({ maxLength: 6, unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), pieces => {
      const facts = read(pieces.join(''))
      assert.deepEqual(Object.keys(facts).sort(), Object.keys(expected).sort())
      assert.ok(serialised(facts).length < 4000)
    }),
    { numRuns: 1000 },
  )
})

test('returns no facts for an empty text', () => {
  for (const text of ['', '\0', '---\n...\n', 'WeekendInfo', ' TrackID: 5\n', 'PK\u0003\u0004']) {
    assert.deepEqual(read(text), empty)
  }
})

for (const [text, seconds] of [
  ['12:00 am', 0],
  ['12:30 pm', 45_000],
  ['"11:59 PM"', 86_340],
  ['6:05am', 21_900],
  ['Late Afternoon', null],
  ['0:30 am', null],
  ['13:00 pm', null],
  ['2:75 pm', null],
  ['2:05', null],
] as const) {
  test(`the time of day ${text} is ${seconds === null ? 'none' : `${seconds} s after midnight`}`, () => {
    const { timeOfDayS } = read(`WeekendInfo:\n WeekendOptions:\n  TimeOfDay: ${text}\n`)
    assert.equal(timeOfDayS, seconds)
  })
}
