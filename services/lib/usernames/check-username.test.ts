import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkUsername, hasBannedWords, isDefaultUsername, usernameKey } from './check-username.ts'

const letters = 'Username can only contain letters, numbers, underscores, and hyphens'
const inappropriate = 'Username contains inappropriate content'

for (const [text, problem] of [
  ['', 'Username is required'],
  ['   ', 'Username is required'],
  ['ab', 'Username must be at least 3 characters long'],
  [' ab ', 'Username must be at least 3 characters long'],
  ['a'.repeat(21), 'Username must be at most 20 characters long'],
  ['1abc', 'Username must start with a letter'],
  ['_abc', 'Username must start with a letter'],
  ['élan', 'Username must start with a letter'],
  ['ab c', letters],
  ['abé', letters],
  ['abc!', letters],
  ['abc🏁', letters],
  ['abc\n', null],
  ['abc\u0000d', letters],
  ['fuck', inappropriate],
  ['f_u-c_k', inappropriate],
  ['FuUuCk123', inappropriate],
  ['sh1thead', inappropriate],
  ['nazi_driver', inappropriate],
  ['h1tler', inappropriate],
  ['MurderCar', inappropriate],
  ['kys', inappropriate],
  ['Phuck', inappropriate],
  ['phaggot99', inappropriate],
  ['Ph_u_c_k', inappropriate],
  ['P_h-u_c_k', inappropriate],
  ['P_h-u_c_k', inappropriate],
  ['shyt_driver', inappropriate],
  ['Fu_cker', inappropriate],
  ['sh_ithead', inappropriate],
  ['nlgger', inappropriate],
  ['bltch77', inappropriate],
  ['hitIer', inappropriate],
  ['faqqot', inappropriate],
  ['siegheil', inappropriate],
] as const) {
  test(`${problem === null ? 'accepts' : 'rejects'} "${text.replace(/[\n\0]/g, '?')}": ${problem ?? 'allowed once trimmed'}`, () => {
    const verdict = checkUsername(text)
    if (problem === null) assert.deepEqual(verdict, { username: text.trim() })
    else assert.deepEqual(verdict, { problem })
  })
}

for (const name of [
  'abc',
  'a'.repeat(20),
  'apexhunter',
  'late_braker',
  'Kerb-Rider',
  'scunthorpe',
  'Assassin1',
  'dickson',
  'user1a2b3c4',
  'Lynchburg',
  'skillful',
  'cassidy',
  'kkkarl',
  ...[
    'Phil',
    'Phuket',
    'phu-nguyen',
    'Raphael',
    'Murphy',
    'Josephine',
    'bacteriophage',
    'Pharrell',
    'Phalanx',
  ],
  ...['Shi_Tanaka', 'Fuqua', 'Kuntz', 'Shylock', 'Shilton', 'Titles', 'Qadir', 'MIKE', 'Phillips', 'tilt'],
  ...['Nazionale', 'Ignazio', 'WankelFan', 'CockpitView', 'Fukuoka', 'Cummins'],
]) {
  test(`accepts "${name}"`, () => {
    assert.deepEqual(checkUsername(name), { username: name })
  })
}

for (const name of [
  ...[
    'admin',
    'Admin',
    'ADMIN',
    'administrator',
    'moderator',
    'mod',
    'lapwing',
    'support',
    'staff',
    'official',
  ],
  ...['system', 'root', 'admin1', 'admin_01', 'root-2', 'adm1n', 'aa4dmin', 'a-d-m-i-n', 'aadmiin'],
  ...['m0derator', 'M0D', 'm_o_d', 'modd', 'l4pwing', 'Iapwing', 'lapvving', 'lapwing_team', 'TheLapwing'],
  ...['Lapwing-Support', 'supp0rt', 'support24', 'race_staff', 'StaffJohn', 'offlcial', 'adrnin', 'rnod'],
  ...[
    'JohnAdmin',
    'admin-john',
    'johnadmin',
    'adminjohn',
    'sysadmin',
    'sy5tem',
    'r00t',
    'rooot',
    'ChiefModerator',
  ],
  ...['aclmin', 'aclrnin', 'moclerator', 'mcderator', 'lapwinq', 'lapwirig', 'suppcrt'],
  ...['supportteam', 'TeamSupport', 'modteam', 'staffteam', 'mysupport', 'racecontrol', 'RaceControl'],
]) {
  test(`rejects "${name}", which looks like staff, as taken`, () => {
    assert.deepEqual(checkUsername(name), { problem: 'Username is already taken' })
  })
}

for (const name of [
  ...['badminton', 'Modena', 'modest_mike', 'Model-T', 'Rooted', 'RootesRacer', 'Systematic', 'Stafford'],
  ...['supporter', 'Admiral', 'nomad', 'commodore', 'Teammate', 'helper_hans'],
  ...['supportive', 'Falstaff', 'modelteam', 'Flagstaff', 'teamsport', 'racecontroller'],
  ...['staffan', 'Robot', 'Serverin', 'Infometer', 'Rod_Oem', 'Moritz', 'officer_bob'],
]) {
  test(`accepts "${name}", which does not look like staff`, () => {
    assert.deepEqual(checkUsername(name), { username: name })
  })
}

for (const label of [
  ...[
    'Fuck Raceway',
    'Circuit de Sh1t',
    'F.u.c.k Speedway',
    'f u c k',
    'Nazi Ring',
    'H1tler Autodrome',
    'Kys Park',
  ],
  ...['Ｆｕｃｋ Ring', 'fu\u00adck ring', 'Dick Johnson Fuck Park', 'Mount Shithead', 'the_fuck_ring'],
  ...[
    'Phuck Speedway',
    'Sh it',
    'Sh it Speedway',
    'Big Fu ck',
    'sh. it',
    'Ph uck Ring',
    'S hit',
    'Shyt Ring',
    'Big As s Ring',
    'p h u c k',
    'f u c k e d',
    'Lime Rock 🅵🆄🅲🅺',
    'Lime Rock 🇫 🇺 🇨 🇰',
    '🅝🅐🅩🅘 Ring',
    'ꜰᴜᴄᴋ Ring',
    'ЅНІТ Ring',
    'Nazi Ring, Internazionale',
    'ab '.repeat(25),
  ],
]) {
  test(`finds a banned word in the label "${label}"`, () => {
    assert.equal(hasBannedWords(label), true)
  })
}

for (const label of [
  ...[
    'Assen',
    'TT Circuit Assen',
    'Sachsenring',
    'Bathurst',
    'Mount Panorama Circuit',
    'Phillip Island Circuit',
  ],
  ...[
    'Circuit Gilles Villeneuve',
    'Dick Johnson',
    'Dick Johnson Raceway',
    'Scunthorpe Speedway',
    'Penistone',
    'Clitheroe',
    'Middlesex Park',
  ],
  ...[
    'Nürburgring Nordschleife',
    'Autódromo José Carlos Pace',
    'Circuit de Spa-Francorchamps',
    'Sussex Downs',
  ],
  ...[
    'Essex',
    'Cockburn Raceway',
    'Road Atlanta - Full Course',
    'Watkins Glen International',
    'Suzuka',
    'Fuji',
  ],
  ...['Mosport', 'Lime Rock Park', 'Snetterton 300', 'Knutstorp Ring', 'Oran Park', 'Okayama', 'Hungaroring'],
  ...[
    'Dallara P217',
    'Ferrari 488 GT3 Evo 2020',
    'Mazda MX-5 Cup',
    'Ford GT',
    'Skip Barber Formula 2000',
    'Lotus 79',
  ],
  ...['Holden ZB Commodore', 'Super Formula SF23 - Honda', 'Porsche 911 GT3 Cup (992)', 'Circuit Zandvoort'],
  ...[
    'Charlotte Motor Speedway',
    'Talladega Superspeedway',
    'Homestead Miami',
    'Canadian Tire Motorsports Park',
  ],
  ...[
    'Autodromo Nazionale Monza',
    'Autodromo Internazionale Enzo e Dino Ferrari',
    'Autodromo Internazionale del Mugello',
  ],
  ...['Smoky Ring 24 Heures, Grand Prix Course without the Chicane and with the Long Back Straight'],
  ...['Смоленское кольцо', 'Нижегородское кольцо', 'Σέρρες', 'Ring 🇩🇪', 'Silverstone 🇬🇧 🅖🅟'],
  ...['Shi Tanaka', 'Phil Hill', 'Phuket Street Circuit', 'Phu Quoc', 'Push It Ring'],
  ...['Basshi Tamura', 'Mash Italia Ring', 'Watkins Glen Classic Boot', 'Sebring Club As Setup'],
  ...['Detroit Grand Prix at Belle Isle', 'Long Beach Street Circuit', 'Misano World Circuit', 'Algarve', ''],
]) {
  test(`finds no banned word in the label "${label}"`, () => {
    assert.equal(hasBannedWords(label), false)
  })
}

test('accepts any accepted name again, trimmed and unchanged', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 24 }), text => {
      const verdict = checkUsername(text)
      if (!('username' in verdict)) return
      assert.equal(verdict.username, text.trim())
      assert.match(verdict.username, /^[A-Za-z][A-Za-z0-9_-]{2,19}$/)
      assert.deepEqual(checkUsername(verdict.username), verdict)
    }),
  )
})

test('checks 100,000 characters in a moment', () => {
  assert.deepEqual(checkUsername('a'.repeat(100_000)), {
    problem: 'Username must be at most 20 characters long',
  })
})

test('treats names that differ in case as one name', () => {
  assert.equal(usernameKey('ApexHunter'), usernameKey('apexhunter'))
})

test('recognises the word user and seven letters or digits as a default name', () => {
  assert.equal(isDefaultUsername('user1a2b3c4'), true)
  for (const name of ['user1a2b3c', 'user1a2b3c45', 'driver1a2b3', 'user1a2b3c_'])
    assert.equal(isDefaultUsername(name), false)
})
