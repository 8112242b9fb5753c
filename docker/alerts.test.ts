/**
 * The alerts of the chart, their runbooks and dashboards. `promtool` runs `charts/alert-tests.yaml`; it comes with
 * Prometheus, which is not on every machine: `PROMTOOL` names it. `services/e2e/boards-real.test.ts` compares the queries
 * with the metrics of a running Lapwing.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'

const rootDir = join(import.meta.dirname, '..')
const chartDir = join(rootDir, 'charts/lapwing')
const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')
const filesOf = (pattern: string) => globSync(pattern, { cwd: rootDir }).sort()

const alertFiles = filesOf('charts/lapwing/alerts/*.yaml')
const runbooks = filesOf('charts/runbooks/*.md').filter(file => basename(file) !== 'README.md')

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

for (const file of alertFiles) {
  const name = basename(file, '.yaml')
  test(`explains ${name} with a summary, a description and a runbook of its name`, () => {
    const { groups } = parse(read(file)) as { groups: readonly { name: string; rules: readonly Rule[] }[] }
    assert.deepEqual(
      groups.map(group => group.name),
      [name],
    )
    for (const { alert, labels, annotations } of groups[0]!.rules) {
      assert.equal(alert, name)
      assert.match(labels.severity, /^(?:critical|warning)$/)
      assert.ok(annotations.summary && annotations.description)
      assert.equal(annotations.runbook, `charts/runbooks/${name}.md`)
      assert.ok(runbooks.includes(annotations.runbook), `${annotations.runbook} is missing`)
    }
  })

  test(`has a case in which ${name} fires, and one in which it does not`, () => {
    const { tests } = parse(read('charts/alert-tests.yaml')) as { tests: readonly RuleTest[] }
    const cases = tests
      .flatMap(({ promql_expr_test }) => promql_expr_test)
      .filter(({ expr }) => expr === `ALERTS{alertname="${name}", alertstate="firing"}`)
    assert.ok(cases.some(({ exp_samples }) => exp_samples.length > 0))
    assert.ok(cases.some(({ exp_samples }) => exp_samples.length === 0))
  })
}

interface RuleTest {
  readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[]
}

for (const file of runbooks) {
  const text = read(file)
  test(`says in ${basename(file)} what it means, whom it hurts, how to look and what to do`, () => {
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    assert.deepEqual(headings, ['Meaning', 'Impact', 'Diagnosis', 'Mitigation'])
    assert.doesNotMatch(text, /^(?:kubectl|helm|curl|select) /m, 'a command outside its block')
    const name = basename(file, '.md')
    if (name.startsWith('Lapwing')) assert.ok(alertFiles.some(alert => basename(alert, '.yaml') === name))
    else assert.ok(read('charts/runbooks/README.md').includes(`](${name}.md)`), 'README.md does not list it')
  })

  test(`names in ${basename(file)} only pages, commands, alerts and log lines that exist`, () => {
    for (const [, page] of text.matchAll(/\]\(([\w./-]+\.md)\)/g)) {
      assert.ok(filesOf(join('charts/runbooks', page!)).length === 1, page)
    }
    for (const [alert] of text.matchAll(/\bLapwing[A-Z]\w+/g)) {
      assert.ok(alertFiles.includes(`charts/lapwing/alerts/${alert}.yaml`), alert)
    }
    for (const [, component, command, action] of text.matchAll(
      /(?:deploy\/lapwing-([\w-]+) -- )?node (src\/[\w-]+\.ts)(?: ([a-z][\w-]+))?/g,
    )) {
      const sources = filesOf(`services/${component?.replace(/-worker$/, '') ?? '*'}/${command}`)
      assert.ok(sources.length > 0, `${component} has no ${command}`)
      if (action !== undefined) {
        assert.ok(
          sources.some(source => read(source).includes(`'${action}'`)),
          `${command} has no ${action}`,
        )
      }
    }
    for (const [, line] of text.matchAll(/(?:grep|-e) '([^'"]+)'/g)) {
      if (!OF_OTHERS.has(line!)) assert.ok(allSources().includes(line!), `nothing logs "${line}"`)
    }
    for (const [, key] of text.matchAll(/\b([\w.]+)=(?:\d|LAP)/g)) {
      if (key!.includes('.')) assert.ok(hasValue(key!), `the chart has no value ${key}`)
    }
  })
}

/** Texts that a runbook looks for in the output of others. */
const OF_OTHERS = new Set(['Last State'])

let sources = ''
function allSources(): string {
  sources ||= filesOf('{gateway,services}/**/*.ts')
    .filter(file => !file.includes('node_modules') && !file.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  return sources
}

/** Returns whether the chart has the value, such as `ingestWorker.replicas`. Names of variables are free. */
function hasValue(key: string): boolean {
  let value = parse(read('charts/lapwing/values.yaml'))
  for (const part of key.split('.')) {
    if (/^[A-Z_]+$/.test(part)) return read('charts/lapwing/values.schema.json').includes(`"${part}"`)
    value = value?.[part]
  }
  return value !== undefined
}

test('ships four dashboards whose panels have a title, a text, a unit and a place of their own', () => {
  const dashboards = filesOf('charts/lapwing/dashboards/*.json')
  assert.deepEqual(
    dashboards.map(file => basename(file, '.json')),
    ['identity', 'ingest', 'journey', 'stores'],
  )
  for (const file of dashboards) {
    const { uid, panels } = JSON.parse(read(file))
    assert.equal(uid, `lapwing-${basename(file, '.json')}`)
    for (const { title, description, fieldConfig } of panels) {
      assert.ok(title && description && fieldConfig.defaults.unit, `${file}: ${title}`)
    }
    const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`)
    assert.equal(new Set(places).size, panels.length, file)
  }
})

test('accepts an address of the runbooks and labels for alerts and dashboards, and nothing else', () => {
  const schema = JSON.parse(read('charts/lapwing/values.schema.json'))
  const matches = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(schema)
  const values = parse(read('charts/lapwing/values.yaml'))
  const { alerts, dashboards } = values.metrics
  const isValid = (changed: object) => matches({ ...values, metrics: { ...values.metrics, ...changed } })
  const runbooks = 'https://lapwing.example/runbooks'
  assert.ok(isValid({ alerts: { enabled: true, labels: { release: 'x' }, runbooks } }))
  assert.ok(isValid({ dashboards: { enabled: true, labels: { grafana: 'yes' } } }))
  for (const changed of [
    { alerts: { ...alerts, runbooks: 'charts/runbooks' } },
    { alerts: { ...alerts, label: {} } },
    { dashboards: { ...dashboards, labels: {} } },
  ]) {
    assert.equal(isValid(changed), false, JSON.stringify(changed))
  }
})

const promtool = process.env.PROMTOOL ?? 'promtool'
const hasPromtool = spawnSync(promtool, ['--version'], { stdio: 'ignore' }).status === 0
const withPromtool = { skip: hasPromtool ? false : 'promtool is not on this machine' }

test('fires each alert at its fault, and not before or after it', withPromtool, () => {
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', 'alert-tests.yaml'], {
    cwd: join(rootDir, 'charts'),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

const helm = process.env.HELM ?? 'helm'
const hasHelm = spawnSync(helm, ['version'], { stdio: 'ignore' }).status === 0
const withHelm = { skip: hasHelm ? false : 'Helm is not on this machine' }

test(
  'renders the same rules for Prometheus Operator, with links to the runbooks, and only on request',
  withHelm,
  () => {
    assert.deepEqual(rendered('PrometheusRule'), [])
    const [object] = rendered('PrometheusRule', 'metrics.alerts.enabled=true')
    assert.deepEqual(
      object!.spec.groups,
      alertFiles.flatMap(file => parse(read(file)).groups),
    )
    const [linked] = rendered(
      'PrometheusRule',
      'metrics.alerts.enabled=true',
      'metrics.alerts.runbooks=https://lapwing.example/runbooks/',
      'metrics.alerts.labels.release=prometheus',
    )
    assert.equal(linked!.metadata.labels.release, 'prometheus')
    for (const { name, rules } of linked!.spec.groups) {
      for (const { annotations } of rules) {
        assert.equal(annotations.runbook_url, `https://lapwing.example/runbooks/${name}.md`)
      }
    }
  },
)

test('renders each dashboard unchanged for the sidecar of Grafana, and only on request', withHelm, () => {
  const ofGrafana = (...values: string[]) =>
    rendered('ConfigMap', ...values).filter(({ metadata }) => metadata.labels.grafana_dashboard === '1')
  assert.deepEqual(ofGrafana(), [])
  const dashboards = ofGrafana('metrics.dashboards.enabled=true')
  assert.equal(dashboards.length, 4)
  for (const { data } of dashboards) {
    const [[file, text]] = Object.entries(data) as [[string, string]]
    assert.equal(text, read(`charts/lapwing/dashboards/${file.replace(/^lapwing-/, '')}`))
  }
})

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes, whose fields the assertions check.
type Rendered = any

function rendered(kind: string, ...values: readonly string[]): readonly Rendered[] {
  const args = ['template', 'l', chartDir, '--kube-version=1.33.0', ...values.map(value => `--set=${value}`)]
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return parseAllDocuments(stdout)
    .map(document => document.toJS())
    .filter(object => object?.kind === kind)
}
