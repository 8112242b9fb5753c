import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, flag, integer, networks, oneOf, optional, readEnv, text, url } from './read-env.ts'

const spec = {
  name: text('NAME', { about: 'What it is called.', example: 'lapwing' }),
  port: integer('PORT', { min: 1, max: 65535, about: 'Where to listen.', example: '8080', fallback: 8080 }),
  mode: oneOf('MODE', {
    choices: ['browser', 'server'],
    about: 'Who reads.',
    example: 'browser',
    fallback: 'browser',
  }),
  maps: flag('MAPS', { about: 'Whether maps are shown.', example: 'true', fallback: false }),
  upstream: url('UPSTREAM', {
    schemes: ['http:', 'https:'],
    about: 'Who is behind.',
    example: 'http://preview:8081',
  }),
}

test('reads typed values and falls back where it may', () => {
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

test('an optional variable is null where it is left out or empty, and checked where it is not', () => {
  const maybe = { upstream: optional(spec.upstream) }
  assert.deepEqual(readEnv(maybe, {}), { upstream: null })
  assert.deepEqual(readEnv(maybe, { UPSTREAM: '' }), { upstream: null })
  assert.equal(readEnv(maybe, { UPSTREAM: 'http://a' }).upstream?.origin, 'http://a')
  assert.throws(() => readEnv(maybe, { UPSTREAM: 'ftp://a' }), ConfigError)
})

test('the result is frozen', () => {
  const config = readEnv(spec, { NAME: 'x', UPSTREAM: 'http://a' })
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError)
})

test('all problems are reported together, each with its example', () => {
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

test('a problem never repeats the value, which may be a secret', () => {
  assert.throws(
    () => readEnv(spec, { NAME: 'x', UPSTREAM: 'hunter2' }),
    (error: unknown) => error instanceof ConfigError && !error.message.includes('hunter2'),
  )
})

for (const [value, allowed] of [
  ['1', true],
  ['65535', true],
  ['0', false],
  ['65536', false],
  ['8080.5', false],
  ['1e3', false],
  [' 80', false],
] as const) {
  test(`a port of "${value}" is ${allowed ? 'taken' : 'refused'}`, () => {
    const read = () => readEnv({ port: spec.port }, { PORT: value })
    if (allowed) assert.equal(read().port, Number(value))
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
  test(`trusted networks of "${value}" are ${expected === null ? 'refused' : 'taken'}`, () => {
    const about = { about: 'Whose word is believed.', example: '10.0.0.0/8' }
    const read = () => readEnv({ proxies: networks('PROXIES', about) }, { PROXIES: value })
    if (expected === null) assert.throws(read, ConfigError)
    else assert.deepEqual(read().proxies, expected)
  })
}
