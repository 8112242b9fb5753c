import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addresses } from '@lapwing/contracts/bind'
import { type Access, covers, type Protocol, type Route, routeAddresses, routes } from './routes.ts'

interface Operation {
  readonly upstream: string
  readonly method: string
  readonly address: string
  readonly access: Access
  readonly protocol: Protocol
  /** Scope with which a connected app may call it. */
  readonly scope: string | undefined
}

/** All operations of all contracts, at each of their addresses (D-2). */
const operations = readContracts()

test('routes every operation to its service, with its protocol and access level', () => {
  for (const { upstream, method, address, access, protocol } of operations) {
    const row = rowFor(method, address)
    assert.ok(row, `${method} ${address} leads nowhere`)
    assert.deepEqual(
      { upstream: row.upstream, access: row.access, protocol: row.protocol },
      { upstream, access, protocol },
      `${method} ${address}`,
    )
  }
})

test('lets connected apps read laps and leaderboards, each with its scope, and call nothing else', () => {
  for (const { method, address, scope } of operations) {
    assert.equal(rowFor(method, address)?.scope, scope, `${method} ${address}`)
    if (scope !== undefined) assert.equal(method, 'GET')
  }
  const granted = operations.filter(({ scope }) => scope !== undefined).map(({ address }) => address)
  assert.deepEqual(
    granted.filter(address => address.startsWith('/api/v1/')),
    [
      '/api/v1/laps',
      '/api/v1/laps/{lapId}/reference',
      '/api/v1/leaderboards/context-id',
      '/api/v1/leaderboards',
      '/api/v1/leaderboards/{contextId}/me',
      '/api/v1/leaderboards/tracks',
      '/api/v1/leaderboards/tracks/{track}/cars',
    ],
  )
})

test('has an operation in the contract for every method of every route', () => {
  for (const route of routes) {
    for (const method of route.methods) {
      // Browsers send it for a page on another origin.
      if (method === 'OPTIONS') continue
      for (const address of routeAddresses(route)) {
        assert.ok(
          operations.some(
            operation =>
              operation.upstream === route.upstream &&
              operation.method === method &&
              covers(route, operation.address),
          ),
          `${method} ${address} is in no contract`,
        )
      }
    }
  }
})

test('serves product routes with and without their version, and sign-in routes at one address', () => {
  for (const route of routes) {
    const served = routeAddresses(route)
    if (route.protocol === 'sign-in') {
      assert.deepEqual(served, [route.prefix])
      continue
    }
    assert.equal(served.length, 2)
    assert.ok(served.some(address => address.startsWith('/api/v1/')))
    assert.ok(served.every(address => address.startsWith('/api/')))
  }
})

test('has no route to an internal address', () => {
  for (const route of routes)
    assert.ok(
      routeAddresses(route).every(address => !address.includes('/internal')),
      route.prefix,
    )
})

test('has one size for all routes of a budget', () => {
  const sizes = new Map<string, Route['rateLimit']>()
  for (const { rateLimit } of routes) {
    assert.deepEqual(sizes.get(rateLimit.budget) ?? rateLimit, rateLimit)
    sizes.set(rateLimit.budget, rateLimit)
  }
})

for (const [address, max] of [
  ['/api/v1/auth/username/check/carol', 60],
  ['/sdk/v1/passwords/authenticate', 30],
] as const) {
  test(`allows ${max} requests to ${address} in a minute (D-17)`, () => {
    const method = address.startsWith('/api') ? 'GET' : 'POST'
    const { rateLimit, access } = rowFor(method, address)!
    assert.equal(rateLimit.max, max)
    assert.equal(rateLimit.windowMs, 60_000)
    assert.notEqual(access, 'signed-in')
  })
}

test('limits sign-ins and mails more tightly while gateways count apart', () => {
  const guarded = operations.filter(({ address }) =>
    /passwords$|authenticate$|reset|login_or_create|send\/|users\/search/.test(address),
  )
  const loose = guarded
    .filter(({ method, address }) => {
      const { max, maxAlone = max } = rowFor(method, address)!.rateLimit
      return maxAlone >= max
    })
    .map(({ address }) => address)
  // Renewing a session needs its token of 256 random bits. The others are not enabled.
  assert.deepEqual(
    loose.filter(address => !notEnabled.test(address)),
    ['/sdk/v1/sessions/authenticate'],
  )
})

const notEnabled = /impersonation/

test('bounds every route in every way', () => {
  for (const { prefix, bodyLimit, timeoutMs, concurrency, rateLimit } of routes) {
    for (const bound of [bodyLimit, timeoutMs, concurrency, rateLimit.max, rateLimit.windowMs]) {
      assert.ok(Number.isSafeInteger(bound) && bound > 0, prefix)
    }
    // A client is silent while it waits, and the gateway closes silent connections after 120 s.
    assert.ok(timeoutMs < 120_000, prefix)
  }
})

test('accepts a form with a file of exactly 104857600 bytes, and not a mebibyte more (D-17)', () => {
  const preview = routes.find(({ prefix }) => prefix === '/v1/preview')!
  assert.equal(preview.bodyLimit, 104_857_600 + 1_048_576)
  assert.equal(preview.rateLimit.max, 20)
  assert.equal(preview.rateLimit.windowMs, 60_000)
})

/** Finds the route as the router does: an exact address before a `/*` above it. */
function rowFor(method: string, address: string): Route | undefined {
  const rows = routes.filter(route => route.methods.some(taken => taken === method) && covers(route, address))
  return rows.find(route => routeAddresses(route).includes(address)) ?? rows[0]
}

function readContracts(): readonly Operation[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@lapwing/contracts/gateway.json')))
  return readdirSync(folder)
    .filter(name => name.endsWith('.json') && !['gateway.json', 'internal.json'].includes(name))
    .flatMap(name => {
      const upstream = name.replace('.json', '')
      const contract = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Contract
      const base = contract.servers[0].url.replace(/\/$/, '')
      return Object.entries(contract.paths).flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([key]) => ['get', 'head', 'post', 'put', 'patch', 'delete'].includes(key))
          .flatMap(([method, operation]) =>
            (base === '' ? [path] : addresses(path)).map(address => ({
              upstream,
              method: method.toUpperCase(),
              address: `${base}${address}`,
              access: accessOf(operation.security ?? contract.security ?? []),
              protocol: base === '' ? 'sign-in' : 'product',
              scope: (operation.security ?? []).flatMap(({ connectedApp = [] }) => connectedApp)[0],
            })),
          ),
      )
    })
}

interface Contract {
  readonly servers: readonly [{ readonly url: string }]
  readonly security?: readonly object[]
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly Requirement[] }>>>
  >
}

interface Requirement {
  readonly connectedApp?: readonly string[]
}

/**
 * Reads a contract's access level. Without requirements a route is public; an empty one makes the others
 * optional.
 */
function accessOf(security: readonly object[]): Access {
  // The gateway reads only the product's own credential.
  if (!security.some(requirement => 'session' in requirement)) return 'public'
  return security.some(requirement => Object.keys(requirement).length === 0) ? 'optional' : 'signed-in'
}
