import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, flag, integer, networks, oneOf, optional, readEnv, text, url } from './read-env.ts'

const spec = {
  name: text('NAME', { about: 'Name of the service.', example: 'lapwing' }),
  port: integer('PORT', { min: 1, max: 65535, about: 'Where to listen.', example: '8080', fallback: 8080 }),
  mode: oneOf('MODE', {
    choices: ['browser', 'server'],
    about: 'Side that reads the file.',
    example: 'browser',
    fallback: 'browser',
  }),
  maps: flag('MAPS', { about: 'Whether maps are shown.', example: 'true', fallback: false }),
  upstream: url('UPSTREAM', {
    schemes: ['http:', 'https:'],
    about: 'Address of the upstream.',
    example: 'http://preview:8081',
  }),
}

test('reads typed values and uses the fallbacks', () => {
  const config = readEnv(spec, { NAME: 'x', UPSTREAM: 'http://preview:8081', MAPS: 'true' })
  assert.deepEqual(
    { ...config, upstream: config.upstream.href },
    {
      name: 'x',
      port: 8080,
      mode: 'browser',
      maps: true,
      upstream: 'http://preview:8081/',
    },
  )
})

test('reads a missing or empty optional variable as null, and checks its value otherwise', () => {
  const optionalSpec = { upstream: optional(spec.upstream) }
  assert.deepEqual(readEnv(optionalSpec, {}), { upstream: null })
  assert.deepEqual(readEnv(optionalSpec, { UPSTREAM: '' }), { upstream: null })
  assert.equal(readEnv(optionalSpec, { UPSTREAM: 'http://a' }).upstream?.origin, 'http://a')
  assert.throws(() => readEnv(optionalSpec, { UPSTREAM: 'ftp://a' }), ConfigError)
})

test('returns a frozen object', () => {
  const config = readEnv(spec, { NAME: 'x', UPSTREAM: 'http://a' })
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError)
})

test('reports all problems together, each with its example', () => {
  assert.throws(
    () => readEnv(spec, { PORT: '0', MODE: 'both', MAPS: 'yes', UPSTREAM: 'ftp://a' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.problems.length, 5)
      assert.match(error.problems[0]!, /^NAME is missing: .* For example: lapwing$/)
      return true
    },
  )
})

test('never repeats a value, which may be a secret', () => {
  assert.throws(
    () => readEnv(spec, { NAME: 'x', UPSTREAM: 'hunter2' }),
    (error: unknown) => error instanceof ConfigError && !error.message.includes('hunter2'),
  )
})

for (const [value, isAllowed] of [
  ['1', true],
  ['65535', true],
  ['0', false],
  ['65536', false],
  ['8080.5', false],
  ['1e3', false],
  [' 80', false],
] as const) {
  test(`${isAllowed ? 'accepts' : 'rejects'} a port of "${value}"`, () => {
    const read = () => readEnv({ port: spec.port }, { PORT: value })
    if (isAllowed) assert.equal(read().port, Number(value))
    else assert.throws(read, ConfigError)
  })
}

for (const [value, expected] of [
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['127.0.0.1, fd00::/8', ['127.0.0.1', 'fd00::/8']],
  ['none', []],
  ['10.0.0.0/33', null],
  ['10.0.0/8', null],
  ['::1/8/8', null],
  ['gateway', null],
  ['10.0.0.1,', null],
] as const) {
  test(`${expected === null ? 'rejects' : 'accepts'} trusted networks of "${value}"`, () => {
    const about = { about: 'Networks of trusted proxies.', example: '10.0.0.0/8' }
    const read = () => readEnv({ proxies: networks('PROXIES', about) }, { PROXIES: value })
    if (expected === null) assert.throws(read, ConfigError)
    else assert.deepEqual(read().proxies, expected)
  })
}
