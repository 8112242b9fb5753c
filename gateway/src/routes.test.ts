import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addresses } from '@lapwing/contracts/bind'
import { type Caller, type Route, routeAddresses, routes } from './routes.ts'

interface Operation {
  readonly upstream: string
  readonly method: string
  readonly address: string
  readonly caller: Caller
}

/** Every operation of every service's contract, at each of its addresses (D-2). */
const operations = readContracts()

test('every operation that anyone may call is routed, once, to its service', () => {
  const open = operations.filter(({ caller }) => caller === 'public')
  assert.ok(open.length > 0)
  for (const { upstream, method, address } of open) {
    assert.deepEqual(
      rowsFor(method, address).map(row => row.upstream),
      [upstream],
      `${method} ${address}`,
    )
  }
})

test('an operation that asks who calls is routed with that question, or not at all', () => {
  for (const { upstream, method, address, caller } of operations) {
    for (const row of rowsFor(method, address)) {
      assert.equal(row.caller, caller, `${method} ${address}`)
      assert.equal(row.upstream, upstream, `${method} ${address}`)
    }
  }
})

test('every row, and every method of it, has an operation in the contract of its service', () => {
  for (const route of routes) {
    for (const method of route.methods) {
      for (const address of routeAddresses(route)) {
        assert.ok(
          operations.some(
            operation =>
              operation.upstream === route.upstream &&
              operation.method === method &&
              covers(operation.address)(address),
          ),
          `${method} ${address} is in no contract`,
        )
      }
    }
  }
})

test('each row is served with and without its version', () => {
  for (const route of routes) {
    const served = routeAddresses(route)
    assert.equal(served.length, 2)
    assert.ok(served.some(address => address.startsWith('/api/v1/')))
    assert.ok(served.every(address => address.startsWith('/api/')))
  }
})

test('every row is bounded in every way', () => {
  for (const { prefix, bodyLimit, timeoutMs, concurrency, rateLimit } of routes) {
    for (const bound of [bodyLimit, timeoutMs, concurrency, rateLimit.max, rateLimit.windowMs]) {
      assert.ok(Number.isSafeInteger(bound) && bound > 0, prefix)
    }
    // A client waits in silence for that long, and the gateway closes silent connections after 120 s.
    assert.ok(timeoutMs < 120_000, prefix)
  }
})

test('a file of exactly 104857600 bytes fits through with its form, a mebibyte more does not (D-17)', () => {
  const preview = routes.find(({ prefix }) => prefix === '/v1/preview')!
  assert.equal(preview.bodyLimit, 104_857_600 + 1_048_576)
  assert.deepEqual(preview.rateLimit, { max: 20, windowMs: 60_000 })
})

function rowsFor(method: string, address: string): readonly Route[] {
  return routes.filter(
    route => route.methods.some(taken => taken === method) && routeAddresses(route).some(covers(address)),
  )
}

function covers(address: string): (row: string) => boolean {
  return row => row === address || (row.endsWith('/*') && address.startsWith(row.slice(0, -1)))
}

function readContracts(): readonly Operation[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@lapwing/contracts/gateway.json')))
  return readdirSync(folder)
    .filter(name => name.endsWith('.json') && name !== 'gateway.json')
    .flatMap(name => {
      const contract = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Contract
      const base = contract.servers[0].url.replace(/\/$/, '')
      return Object.entries(contract.paths).flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([key]) => ['get', 'head', 'post', 'put', 'patch', 'delete'].includes(key))
          .flatMap(([method, operation]) =>
            addresses(path).map(address => ({
              upstream: name.replace('.json', ''),
              method: method.toUpperCase(),
              address: `${base}${address}`,
              caller: callerOf(operation.security ?? contract.security ?? []),
            })),
          ),
      )
    })
}

interface Contract {
  readonly servers: readonly [{ readonly url: string }]
  readonly security?: readonly object[]
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >
}

/** OpenAPI: no requirement asks nothing; an empty one among others makes the others optional. */
function callerOf(security: readonly object[]): Caller {
  if (security.length === 0) return 'public'
  return security.some(requirement => Object.keys(requirement).length === 0) ? 'optional' : 'signed-in'
}
