/**
 * Compose and the chart must set every variable that a process requires, and none that it does not know. The
 * table of each README must list exactly the variables of its processes. The chart is read as text, because
 * Helm is not on every machine: it yields the names of all possible variables.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { type Env, processes, readVariables } from './processes.ts'

const names = Object.keys(processes).sort()

interface Container {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
}
const compose: { readonly services: Readonly<Record<string, Container>> } = parse(
  readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8'),
  { merge: true },
)
const chartDir = join(import.meta.dirname, '../charts/lapwing')

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly propertyNames?: { readonly enum: readonly string[] }
}
type Values = Readonly<Record<string, unknown>>
const schema: Schema = JSON.parse(readFileSync(join(chartDir, 'values.schema.json'), 'utf8'))
const chartValues: Values = parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8'))

const secrets = mkdtempSync(join(tmpdir(), 'lapwing-secrets-'))
after(() => rmSync(secrets, { recursive: true }))
execFileSync(process.execPath, [join(import.meta.dirname, 'setup/make-secrets.ts'), secrets])

const WORKLOAD = /^kind: (?:Deployment|CronJob)$/m
const MIGRATION = /include "lapwing\.migration"/
const templatesDir = join(chartDir, 'templates')
const templates = new Map(
  globSync('**/*.{tpl,yaml}', { cwd: templatesDir }).map(file => [
    file,
    readFileSync(join(templatesDir, file), 'utf8'),
  ]),
)

test('reads only values of the chart that exist', () => {
  const paths = [...templates.values()].flatMap(text =>
    [...text.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path]) => path!.slice(1).split('.')),
  )
  assert.ok(paths.length > 0)
  const isThere = (path: readonly string[]) =>
    path.reduce<unknown>((value, key) => (value as Values | undefined)?.[key], chartValues) !== undefined
  assert.deepEqual(
    paths.filter(path => !isThere(path)).map(path => path.join('.')),
    [],
  )
})

test('prints each number of the chart as an integer, because Helm writes a million as 1e+06', () => {
  const numbers = new Set(integersOf(schema))
  const printed = [...templates.values()].flatMap(text => [...text.matchAll(/\.(\w+) \|( int \|)? quote/g)])
  const ofNumbers = printed.filter(([, name]) => numbers.has(name!))
  assert.ok(ofNumbers.length > 0)
  assert.deepEqual(
    ofNumbers.filter(([, , int]) => int === undefined).map(([text]) => text),
    [],
  )
})

test('runs the same processes in compose and in the chart', () => {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('lapwing/'))
  const setup = ['prepare', 'secrets']
  assert.deepEqual(ours.map(([name]) => name).sort(), [...names, ...setup].sort())
  const ofChart = [...templates].flatMap(([file, text]) => [
    ...(workload(text, WORKLOAD) === undefined ? [] : [basename(file, '.yaml')]),
    ...(workload(text, MIGRATION) === undefined ? [] : [`${basename(file, '.yaml')}-migration`]),
  ])
  assert.deepEqual(ofChart.sort(), names)
})

for (const service of names.filter(name => !name.includes('-'))) {
  test(`lists exactly the variables of ${service} in its README`, () => {
    const known = names
      .filter(name => name === service || name.startsWith(`${service}-`))
      .flatMap(name => [...readVariables(name, {}).known])
    const listed = readmeVariables(service)
    const isListed = (name: string) =>
      listed.some(it => it === name || (it.endsWith('_') && name.startsWith(it)))
    const isKnown = (name: string) =>
      known.some(it => it === name || (name.endsWith('_') && it.startsWith(name)))
    assert.deepEqual(
      { unlisted: known.filter(name => !isListed(name)), unknown: listed.filter(name => !isKnown(name)) },
      { unlisted: [], unknown: [] },
    )
  })
}

for (const name of names) {
  test(`sets in compose all variables that ${name} requires, and no unknown one`, () => {
    assert.deepEqual(problems(name, composeEnv(name)), [])
  })

  test(`sets in the chart all variables that ${name} requires, and no unknown one`, () => {
    assert.deepEqual(problems(name, chartEnv(name, templates)), [])
  })

  test(`gives ${name} the same addresses in compose and in the chart`, () => {
    // Compose has no provider of texts and no collector of traces, and needs none.
    const addresses = (env: Env) =>
      Object.keys(env).filter(
        it => /_(?:URL|ENDPOINT|ORIGIN)$/.test(it) && !/^(?:TEXT_API_URL|OTEL_)/.test(it),
      )
    assert.deepEqual(addresses(chartEnv(name, templates)).sort(), addresses(composeEnv(name)).sort())
  })

  test(`reports a variable of ${name} that the chart misspells or omits`, () => {
    for (const variable of Object.keys(chartEnv(name, templates))) {
      const misspelt = edited(new RegExp(`\\b${variable}\\b`, 'g'), `${variable}S`)
      assert.ok(problems(name, chartEnv(name, misspelt)).includes(`${variable}S is not known`))

      const without = edited(new RegExp(`^.*\\b${variable}\\b.*$`, 'gm'), '')
      const { [variable]: _, ...rest } = composeEnv(name)
      const isMissed = (env: Env) => problems(name, env).some(it => it.startsWith(`${variable} is missing`))
      assert.equal(isMissed(chartEnv(name, without)), isMissed(rest), variable)
    }
  })
}

/** Variables of a process that are not the operator's to choose, or are in a Secret (`OAUTH_…`). */
const NOT_OFFERED = /^(?:HOST|METRICS_HOST|TMPDIR|INGEST_QUEUE_PREFIX|OAUTH_.+)$/

for (const [part, { properties }] of Object.entries(schema.properties!)) {
  const offered = properties?.env?.propertyNames?.enum
  if (offered === undefined) continue
  test(`offers in ${part}.env of the chart’s schema each variable that no template sets`, () => {
    const name = part.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    const set = Object.keys(chartEnv(name, templates))
    const free = [...readVariables(name, {}).known].filter(it => !set.includes(it) && !NOT_OFFERED.test(it))
    assert.deepEqual(offered.toSorted(), free.toSorted())
  })
}

/** Returns the variables that a process misses in `env`, and those that it does not know. */
function problems(name: string, env: Env): string[] {
  const { known, problems: missing } = readVariables(name, env)
  const unknown = Object.keys(env).filter(variable => !known.has(variable))
  return [...missing, ...unknown.map(variable => `${variable} is not known`)]
}

/**
 * Returns the names in the first column of a README's tables. `S3_…` and `OAUTH_<PROVIDER>_…` mean all names
 * that begin so.
 */
function readmeVariables(service: string): string[] {
  const folder = service === 'gateway' ? 'gateway' : `services/${service}`
  const readme = readFileSync(join(import.meta.dirname, '..', folder, 'README.md'), 'utf8')
  const cells = [...readme.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].map(([, cell]) => cell!)
  return cells.flatMap(cell => [...cell.matchAll(/`([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name!))
}

/** Returns the names of all properties that are integers. */
function integersOf(part: Schema): string[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, its]) =>
    its.type === 'integer' ? [name] : integersOf(its),
  )
}

/** Returns the variables of a process in compose, including its secrets. */
function composeEnv(name: string): Env {
  const { command = [], environment = {} } = compose.services[name]!
  const files = command.flatMap(word => /^--env-file=\/secrets\/(.+)$/.exec(word)?.[1] ?? [])
  return {
    ...Object.assign({}, ...files.map(file => parseEnv(readFileSync(join(secrets, file), 'utf8')))),
    ...Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, String(value)])),
  }
}

/** Returns the variables that the chart can set for a process, with their values from compose. */
function chartEnv(name: string, texts: ReadonlyMap<string, string>): Env {
  const blocks = new Map(
    [...texts.values()].flatMap(text =>
      [...text.matchAll(/\{\{-? define "([^"]+)" -?\}\}(.*?)(?=\{\{-? define |$)/gs)].map(
        ([, block, body]) => [block!, body!] as const,
      ),
    ),
  )
  const [, component] = /^(.+)-migration$/.exec(name) ?? []
  const parts = [workload(texts.get(`${component ?? name}.yaml`)!, component ? MIGRATION : WORKLOAD)!]
  const included = new Set<string>()
  for (const part of parts) {
    for (const [, block] of part.matchAll(/include "([^"]+)"/g)) {
      if (!included.has(block!)) parts.push(blocks.get(block!)!)
      included.add(block!)
    }
  }
  const variables = parts.flatMap(part =>
    [...part.matchAll(/\bname(?:: |" )"?([A-Z][A-Z0-9_]+)/g)].map(([, variable]) => variable!),
  )
  const values = composeEnv(name)
  return Object.fromEntries(variables.map(variable => [variable, values[variable]]))
}

/** Returns the document of a component's file that runs a process, or undefined. */
function workload(text: string, kind: RegExp): string | undefined {
  return text.split('\n---\n').find(document => kind.test(document))
}

function edited(pattern: RegExp, replacement: string): Map<string, string> {
  return new Map([...templates].map(([file, text]) => [file, text.replace(pattern, replacement)]))
}
