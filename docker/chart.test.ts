/** What the chart accepts and renders. Rendering needs Helm, which is not on every machine: `HELM` names it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'

const chartDir = join(import.meta.dirname, '../charts/lapwing')
const defaults = parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8'))
const schema = JSON.parse(readFileSync(join(chartDir, 'values.schema.json'), 'utf8'))
const isValid = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(schema)

const everything = {
  accounts: { enabled: true },
  boards: { enabled: true },
  internalKey: { existingSecret: 'lapwing' },
  redis: { existingSecret: 'lapwing' },
  objectStore: { existingSecret: 'lapwing', endpoint: 'https://s3.example', bucket: 'lapwing' },
  identity: {
    database: { existingSecret: 'lapwing' },
    keyEncryptionKey: { existingSecret: 'lapwing' },
    mail: { existingSecret: 'lapwing', from: 'no-reply@lapwing.example' },
  },
  account: { database: { existingSecret: 'lapwing' } },
  upload: { database: { existingSecret: 'lapwing' } },
  ingest: { database: { existingSecret: 'lapwing' } },
  leaderboard: { database: { existingSecret: 'lapwing' } },
}

const digest = `sha256:${'a'.repeat(64)}`

for (const [what, values] of [
  ['its own values', {}],
  ['accounts and boards', everything],
  ['a tag of digits alone', { gateway: { image: { tag: 20261129 } } }],
  ['a digest', { gateway: { image: { digest } } }],
  ['no registry', { global: { imageRegistry: '' } }],
  ['a registry with a port and a path', { global: { imageRegistry: 'registry.example:5000/team' } }],
  ['ids that the platform assigns', { podSecurity: { fixedIds: false } }],
  [
    'quantities',
    { gateway: { resources: { limits: { cpu: 2, memory: '1.5Gi', 'ephemeral-storage': '1Gi' } } } },
  ],
  ['a drain of ten minutes', { gateway: { drainSeconds: 600 } }],
  [
    'networks of a load balancer',
    {
      gateway: {
        service: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', sourceRanges: ['192.0.2.0/24'] },
      },
    },
  ],
  [
    'tiles through the gateway, with their key in a Secret',
    { gateway: { map: { satellite: { proxy: true, cache: 'none', key: { existingSecret: 'lapwing' } } } } },
  ],
  ['billing with prices', { account: { billing: { existingSecret: 'x', pricePro: 'a', priceTeam: 'b' } } }],
] as const) {
  test(`accepts ${what}`, () => {
    assert.ok(isValid(merged(defaults, values)), JSON.stringify(isValid.errors))
  })
}

for (const [what, values] of [
  ['a typo in resources', { gateway: { resources: { limit: { memory: '1Gi' } } } }],
  ['a typo in a resource', { gateway: { resources: { limits: { memroy: '1Gi' } } } }],
  ['a quantity with a wrong unit', { gateway: { resources: { limits: { memory: '1GB' } } } }],
  ['a digest that is none', { gateway: { image: { digest: 'latest' } } }],
  ['a registry with a scheme', { global: { imageRegistry: 'https://registry.example' } }],
  ['a cache of tiles on disk', { gateway: { map: { satellite: { cache: 'disk' } } } }],
  ['billing without prices', { account: { billing: { existingSecret: 'x' } } }],
  ['a drain that a process does not accept', { gateway: { drainSeconds: 900 } }],
  ['boards without accounts', { ...everything, accounts: { enabled: false } }],
] as const) {
  test(`refuses ${what}`, () => {
    assert.equal(isValid(merged(defaults, values)), false)
  })
}

const helm = process.env.HELM ?? 'helm'
const hasHelm = spawnSync(helm, ['version'], { stdio: 'ignore' }).status === 0
const rendering = { skip: hasHelm ? false : 'Helm is not on this machine' }

test('names images by registry, tag and digest, and prints a number as a tag unchanged', rendering, () => {
  const image = (values: object) => podOf(render(values), 'l-gateway').containers[0].image
  assert.equal(image({}), 'registry.example/lapwing/gateway:0.1.0')
  assert.equal(image({ gateway: { image: { tag: 20261129 } } }), 'registry.example/lapwing/gateway:20261129')
  const pinned = { global: { imageRegistry: '' }, gateway: { image: { tag: '1', digest } } }
  assert.equal(image(pinned), `lapwing/gateway:1@${digest}`)
})

test(
  'gives a pod more time than its requests, and leaves out ids that the platform assigns',
  rendering,
  () => {
    const documents = render({
      gateway: { drainSeconds: 300 },
      podSecurity: { fixedIds: false },
    })
    const pod = podOf(documents, 'l-gateway')
    assert.equal(pod.terminationGracePeriodSeconds, 315)
    assert.ok(pod.containers[0].env.some(isVariable('DRAIN_MS', '300000')))
    assert.deepEqual(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    // A file may arrive for 45 s, and both processes of its way must wait for it.
    for (const name of ['l-gateway', 'l-preview']) {
      assert.ok(podOf(render({}), name).terminationGracePeriodSeconds >= 5 + 45 + 10, name)
    }
  },
)

test('lets gateways fetch tiles from outside, with the key of a Secret, and only then', rendering, () => {
  const isKey = ({ name }: { name: string }) => name === 'MAP_SATELLITE_KEY'
  const portsOutside = (documents: readonly Rendered[]) =>
    documents
      .find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'l-gateway')!
      .spec.egress.flatMap(({ ports }: Rendered) => ports.map(({ port }: Rendered) => port))
  const satellite = { proxy: true, key: { existingSecret: 'lapwing' } }
  const documents = render({ gateway: { map: { satellite } } })
  assert.deepEqual(podOf(documents, 'l-gateway').containers[0].env.find(isKey).valueFrom, {
    secretKeyRef: { name: 'lapwing', key: 'map-satellite-key' },
  })
  assert.ok(portsOutside(documents).includes(443))
  assert.ok(!portsOutside(render({})).includes(443))
  assert.equal(podOf(render({}), 'l-gateway').containers[0].env.find(isKey), undefined)
})

test('removes migrations that succeeded, and those that failed after a day', rendering, () => {
  const jobs = render(everything).filter(({ kind }) => kind === 'Job')
  assert.equal(jobs.length, 5)
  for (const { metadata, spec } of jobs) {
    assert.equal(metadata.annotations['helm.sh/hook-delete-policy'], 'before-hook-creation,hook-succeeded')
    assert.equal(spec.ttlSecondsAfterFinished, 86_400)
  }
})

test('serves metrics on every pod and on no other Service than theirs', rendering, () => {
  const documents = render({ ...everything, metrics: { serviceMonitor: { enabled: true } } })
  const deployments = documents.filter(({ kind }) => kind === 'Deployment')
  assert.equal(deployments.length, 8)
  for (const { spec } of deployments) {
    const { labels } = spec.template.metadata
    assert.equal(labels['lapwing/metrics'], 'served')
    const [{ ports, env }] = spec.template.spec.containers
    assert.ok(ports.some((port: { name: string; containerPort: number }) => port.containerPort === 9464))
    assert.ok(env.some(isVariable('METRICS_PORT', '9464')))
  }
  const services = documents.filter(({ kind }) => kind === 'Service')
  const withMetrics = services.filter(({ spec }) =>
    spec.ports.some(({ targetPort }: { targetPort: string }) => targetPort === 'metrics'),
  )
  assert.deepEqual(
    withMetrics.map(({ metadata }) => metadata.name),
    ['l-metrics'],
  )
  const [monitor] = documents.filter(({ kind }) => kind === 'ServiceMonitor')
  const [service] = withMetrics
  for (const [name, value] of Object.entries(monitor!.spec.selector.matchLabels)) {
    assert.equal(service!.metadata.labels[name], value)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes, whose fields the assertions check.
type Rendered = any

function render(values: object): readonly Rendered[] {
  const args = ['template', 'l', chartDir, '--kube-version=1.33.0', '--values=-']
  const { status, stdout, stderr } = spawnSync(helm, args, {
    input: JSON.stringify(values),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return parseAllDocuments(stdout)
    .map(document => document.toJS())
    .filter(object => object !== null)
}

function podOf(documents: readonly Rendered[], name: string): Rendered {
  return documents.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)!.spec
    .template.spec
}

function isVariable(name: string, value: string) {
  return (variable: { name: string; value?: string }) => variable.name === name && variable.value === value
}

/** Returns the values with the changes of an operator, as Helm merges them. */
function merged(values: Rendered, changes: Rendered): Rendered {
  if (!isObject(values) || !isObject(changes)) return changes
  const names = [...new Set([...Object.keys(values), ...Object.keys(changes)])]
  return Object.fromEntries(
    names.map(name => [name, name in changes ? merged(values[name], changes[name]) : values[name]]),
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
