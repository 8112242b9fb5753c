/** What the chart accepts and renders. Rendering needs Helm, which is not on every machine: `HELM` names it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'

const chartDir = join(import.meta.dirname, '../charts/lapwing')
const defaults = parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8'))
const schema = JSON.parse(readFileSync(join(chartDir, 'values.schema.json'), 'utf8'))
const isValid = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(schema)

const everything = parse(readFileSync(join(chartDir, 'ci/boards-values.yaml'), 'utf8'))

const withBackups = parse(readFileSync(join(chartDir, 'ci/restore-values.yaml'), 'utf8'))

const tryOut = parse(readFileSync(join(chartDir, 'values-try-out.yaml'), 'utf8'))

const files = globSync(['values-*.yaml', 'ci/*.yaml'], { cwd: chartDir })
for (const file of [...files, '../../services/kube/values.yaml']) {
  test(`accepts the values of ${file}`, () => {
    const values = parse(readFileSync(join(chartDir, file), 'utf8'), { merge: true })
    assert.ok(isValid(merged(defaults, values)), JSON.stringify(isValid.errors))
  })
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
  ['a route to a Gateway', { gateway: { httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }] } } }],
  [
    'an Ingress of several hosts',
    { gateway: { ingress: { enabled: true, hosts: ['a.example', '*.b.example'] } } },
  ],
  [
    'pods of one component on nodes of their own',
    { ingestWorker: { pod: { nodeSelector: { disk: 'ssd' } } } },
  ],
  ['bundled servers', tryOut],
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
  ['a typo in the settings of pods', { pods: { nodeSelectors: {} } }],
  ["a typo in a component's settings of pods", { gateway: { pod: { toleration: [] } } }],
  ['a route without a Gateway', { gateway: { httpRoute: { enabled: true } } }],
  ['a host with a scheme', { gateway: { ingress: { hosts: ['https://lapwing.example'] } } }],
  ['KEDA without Prometheus', { ingestWorker: { autoscaling: { enabled: true, by: 'keda' } } }],
  ['a name with a dot', { nameOverride: 'lapwing.example' }],
  ['bundled servers without accounts', { bundled: { enabled: true } }],
  ['a bundled and an external database', { ...tryOut, upload: { database: { existingSecret: 'lapwing' } } }],
  ['a bundled and an external object store', { ...tryOut, objectStore: { endpoint: 'https://s3.example' } }],
  ['a bundled and an external mail server', merged(tryOut, { identity: { mail: { existingSecret: 'x' } } })],
  ['billing without prices', { account: { billing: { existingSecret: 'x' } } }],
  ['a drain that a process does not accept', { gateway: { drainSeconds: 900 } }],
  ['backups without accounts', { backup: { enabled: true } }],
  ['a restore without a volume', merged(withBackups, { backup: { volume: { existingClaim: '' } } })],
  ['a restore into bundled servers', merged(tryOut, { backup: withBackups.backup })],
  ['a restore with an unknown option', merged(withBackups, { backup: { restore: { options: ['force'] } } })],
  ['a backup whose name is none', merged(withBackups, { backup: { restore: { from: '../x' } } })],
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

test(
  'scales each component between its limits, and leaves the number of pods to Kubernetes',
  rendering,
  () => {
    const autoscaling = { enabled: true, minReplicas: 3 }
    const components = [
      'gateway',
      'preview',
      'identity',
      'account',
      'upload',
      'ingest',
      'leaderboard',
      'ingestWorker',
    ]
    const scaled = Object.fromEntries(components.map(name => [name, { replicas: 1, autoscaling }]))
    const documents = render(merged(everything, scaled))
    const scalers = documents.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    assert.equal(scalers.length, 8)
    for (const { spec } of scalers) {
      const { name } = spec.scaleTargetRef
      assert.equal(spec.minReplicas, 3)
      assert.equal(find(documents, 'Deployment', name).spec.replicas, undefined)
      // A drain of a node must not take all of them.
      assert.equal(find(documents, 'PodDisruptionBudget', name).spec.maxUnavailable, 1)
    }
    assert.equal(find(render(everything), 'Deployment', 'l-gateway').spec.replicas, 2)
  },
)

test('scales workers by the jobs in the queue, by an external metric or with KEDA', rendering, () => {
  const scaledBy = (by: string, prometheus = '') =>
    render(merged(everything, { ingestWorker: { autoscaling: { enabled: true, by, prometheus } } }))
  const [{ type, external }] = find(scaledBy('queue'), 'HorizontalPodAutoscaler', 'l-ingest-worker').spec
    .metrics
  assert.equal(type, 'External')
  assert.equal(external.metric.name, 'lapwing_queue_jobs')
  assert.deepEqual(external.metric.selector.matchLabels, { service: 'l-metrics' })
  const [cpu] = find(scaledBy('cpu'), 'HorizontalPodAutoscaler', 'l-ingest-worker').spec.metrics
  assert.equal(cpu.resource.name, 'cpu')
  const documents = scaledBy('keda', 'http://prometheus.example:9090')
  const { scaleTargetRef, triggers } = find(documents, 'ScaledObject', 'l-ingest-worker').spec
  assert.equal(scaleTargetRef.name, 'l-ingest-worker')
  assert.match(
    triggers[0].metadata.query,
    /^sum\(max by \(state\) \(lapwing_queue_jobs\{.*service="l-metrics",/,
  )
  assert.equal(documents.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').length, 0)
})

test(
  'leads the host of the public address to the gateway by a route or an Ingress with TLS',
  rendering,
  () => {
    const documents = render({
      gateway: {
        publicOrigin: 'https://lapwing.example:8443',
        httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }] },
        ingress: { enabled: true, tlsSecret: 'certificate', annotations: { a: 'b' } },
      },
    })
    const { hostnames, parentRefs, rules } = find(documents, 'HTTPRoute', 'l-gateway').spec
    assert.deepEqual(hostnames, ['lapwing.example'])
    assert.deepEqual(parentRefs, [{ name: 'edge' }])
    assert.deepEqual(rules[0].backendRefs, [{ name: 'l-gateway', port: 80 }])
    // A file may take that long over a slow line.
    assert.deepEqual(rules[0].timeouts, { request: '15m' })
    const { metadata, spec } = find(documents, 'Ingress', 'l-gateway')
    assert.deepEqual(metadata.annotations, { a: 'b' })
    assert.deepEqual(spec.tls, [{ hosts: ['lapwing.example'], secretName: 'certificate' }])
    assert.equal(spec.rules[0].host, 'lapwing.example')
    assert.deepEqual(spec.rules[0].http.paths[0].backend.service, {
      name: 'l-gateway',
      port: { name: 'http' },
    })
    assert.deepEqual(
      render({}).filter(({ kind }) => kind === 'HTTPRoute' || kind === 'Ingress'),
      [],
    )
  },
)

test('merges the settings of all pods with those of a component, and keeps its selectors', rendering, () => {
  const documents = render({
    pods: {
      labels: { team: 'racing', 'app.kubernetes.io/name': 'other' },
      nodeSelector: { disk: 'ssd', zone: 'a' },
      tolerations: [{ key: 'one' }],
      priorityClassName: 'low',
      containerSecurityContext: { runAsUser: 2000 },
    },
    gateway: {
      pod: {
        nodeSelector: { disk: 'hdd' },
        tolerations: [{ key: 'two' }],
        priorityClassName: 'high',
        containerSecurityContext: { readOnlyRootFilesystem: false },
      },
    },
  })
  const gateway = podOf(documents, 'l-gateway')
  assert.deepEqual(gateway.nodeSelector, { disk: 'hdd', zone: 'a' })
  assert.deepEqual(gateway.tolerations, [{ key: 'one' }, { key: 'two' }])
  assert.equal(gateway.priorityClassName, 'high')
  assert.equal(gateway.containers[0].securityContext.readOnlyRootFilesystem, false)
  const preview = podOf(documents, 'l-preview')
  assert.deepEqual(preview.nodeSelector, { disk: 'ssd', zone: 'a' })
  assert.equal(preview.priorityClassName, 'low')
  const { runAsUser, readOnlyRootFilesystem } = preview.containers[0].securityContext
  assert.deepEqual({ runAsUser, readOnlyRootFilesystem }, { runAsUser: 2000, readOnlyRootFilesystem: true })
  for (const { spec } of documents.filter(({ kind }) => kind === 'Deployment')) {
    const { labels } = spec.template.metadata
    assert.equal(labels.team, 'racing')
    const own = spec.selector.matchLabels
    assert.equal(labels['app.kubernetes.io/name'], own['app.kubernetes.io/name'])
    const spread = spec.template.spec.topologySpreadConstraints
    assert.deepEqual(
      spread.map(({ topologyKey }: Rendered) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    )
    for (const { labelSelector } of spread) assert.deepEqual(labelSelector.matchLabels, own)
  }
})

test('gives a private certificate authority to every process, and to migrations', rendering, () => {
  const pods = {
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'company-ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  }
  const workloads = render({ ...everything, pods }).filter(({ kind }) => /^(Deployment|Job)$/.test(kind))
  assert.equal(workloads.length, 8 + 5)
  for (const { spec } of workloads) {
    const { containers, volumes } = spec.template.spec
    assert.ok(containers[0].env.some(isVariable('NODE_EXTRA_CA_CERTS', '/etc/ca/ca.crt')))
    assert.ok(containers[0].volumeMounts.some(({ mountPath }: Rendered) => mountPath === '/etc/ca'))
    assert.ok(volumes.some(({ configMap }: Rendered) => configMap?.name === 'company-ca'))
  }
})

test('lets each process reach the collector of traces, and preview nothing without one', rendering, () => {
  const traces = { endpoint: 'http://collector.monitoring:4318', sampledShare: 0.1 }
  const documents = render({ ...everything, traces })
  const names = documents.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)
  assert.equal(names.length, 8)
  for (const name of names) {
    const { env } = podOf(documents, name).containers[0]
    assert.ok(env.some(isVariable('OTEL_EXPORTER_OTLP_ENDPOINT', traces.endpoint)), name)
    assert.ok(env.some(isVariable('OTEL_TRACES_SAMPLER_ARG', '0.1')), name)
    const ports = find(documents, 'NetworkPolicy', name).spec.egress.flatMap((rule: Rendered) => rule.ports)
    for (const needed of [4318, 53])
      assert.ok(
        ports.some(({ port }: Rendered) => port === needed),
        name,
      )
  }
  assert.deepEqual(find(render(everything), 'NetworkPolicy', 'l-preview').spec.egress, [])
})

test('probes whether each process is ready, and whether each of Lapwing lives', rendering, () => {
  const servers = render(tryOut).filter(({ kind }) => /^(Deployment|StatefulSet)$/.test(kind))
  assert.equal(servers.length, 8 + 4)
  for (const { kind, metadata, spec } of servers) {
    const [container] = spec.template.spec.containers
    assert.ok(container.readinessProbe, metadata.name)
    assert.equal(container.livenessProbe !== undefined, kind === 'Deployment', metadata.name)
  }
})

test('limits the disk of each process above its temporary files', rendering, () => {
  for (const threads of [2, 8]) {
    const documents = render(merged(everything, { ingestWorker: { threads } }))
    for (const { metadata, spec } of documents.filter(({ kind }) => kind === 'Deployment')) {
      const { containers, volumes } = spec.template.spec
      const { limits, requests } = containers[0].resources
      assert.ok(requests['ephemeral-storage'], metadata.name)
      assert.ok(
        mebibytes(limits['ephemeral-storage']) > mebibytes(volumes[0].emptyDir.sizeLimit),
        metadata.name,
      )
    }
  }
})

test('names all objects by the override, within 63 characters', rendering, () => {
  const names = (values: object) => render(merged(everything, values)).map(({ metadata }) => metadata.name)
  assert.ok(names({ nameOverride: 'web' }).every(name => name.startsWith('l-web-')))
  assert.ok(
    names({ nameOverride: 'web', fullnameOverride: 'racing' }).every(name => name.startsWith('racing-')),
  )
  assert.ok(names({ fullnameOverride: 'a'.repeat(42) }).every(name => name.length <= 63))
})

test('opens the names that it looks up, and the networks of a load balancer', rendering, () => {
  const documents = render({
    gateway: { service: { type: 'LoadBalancer', sourceRanges: ['192.0.2.0/24'], annotations: { a: 'b' } } },
  })
  const service = find(documents, 'Service', 'l-gateway')
  assert.deepEqual(service.spec.loadBalancerSourceRanges, ['192.0.2.0/24'])
  assert.deepEqual(service.metadata.annotations, { a: 'b' })
  const { egress } = find(documents, 'NetworkPolicy', 'l-gateway').spec
  const { to, ports } = egress.at(-1)
  // NodeLocal DNSCache, and the port of OpenShift's DNS.
  assert.ok(to.some(({ ipBlock }: Rendered) => ipBlock?.cidr === '169.254.20.10/32'))
  assert.deepEqual([...new Set(ports.map(({ port }: Rendered) => port))], [53, 5353])
})

test('gives every process of a try-out the address and the secrets of the bundled servers', rendering, () => {
  const documents = render(tryOut)
  const secrets = find(documents, 'Secret', 'l-bundled').stringData
  const services = new Map(
    documents
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata, spec }) => [metadata.name, spec.ports.map(({ port }: Rendered) => port)]),
  )
  const workloads = documents.filter(({ kind }) => /^(Deployment|Job|StatefulSet)$/.test(kind))
  assert.equal(workloads.length, 8 + 5 + 4)
  const variables = workloads.flatMap(({ spec }) => spec.template.spec.containers[0].env ?? [])
  const named = variables.filter(({ valueFrom }) => valueFrom !== undefined)
  assert.ok(named.length > 30)
  for (const { name, valueFrom } of named) {
    assert.equal(valueFrom.secretKeyRef.name, 'l-bundled', name)
    assert.ok(secrets[valueFrom.secretKeyRef.key], name)
  }
  const ofServers = Object.entries<string>(secrets).filter(([key]) => key.endsWith('-url'))
  const endpoint = variables.find(({ name }) => name === 'S3_ENDPOINT').value
  for (const [key, address] of [...ofServers, ['endpoint', endpoint] as const]) {
    const { hostname, port } = new URL(address)
    assert.ok(services.get(hostname)?.includes(Number(port)), `${key}: ${address}`)
  }
  assert.equal(Buffer.from(secrets['key-encryption-key'], 'base64').length, 32)
  const passwords = Object.keys(secrets).filter(key => /password$|internal-key|secret-access-key/.test(key))
  assert.equal(new Set(passwords.map(key => secrets[key])).size, 8)
})

test(
  'runs each container as the restricted standard asks, with limits and a read-only file system',
  rendering,
  () => {
    const pods = [tryOut, everything]
      .flatMap(values => render(values))
      .filter(({ kind }) => /^(Deployment|Job|Pod|StatefulSet)$/.test(kind))
      .map(({ kind, spec }) => (kind === 'Pod' ? spec : spec.template.spec))
    assert.equal(pods.length, 8 + 5 + 1 + 4 + (8 + 5 + 1))
    for (const { securityContext, automountServiceAccountToken, containers, initContainers = [] } of pods) {
      assert.equal(securityContext.runAsNonRoot, true)
      assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' })
      assert.equal(automountServiceAccountToken, false)
      for (const { name, securityContext: own, resources } of [...initContainers, ...containers]) {
        assert.deepEqual(
          own,
          {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          name,
        )
        for (const quantity of [resources.limits, resources.requests]) {
          assert.ok(quantity.memory && quantity['ephemeral-storage'], name)
        }
      }
    }
  },
)

test('migrates a bundled database after it has started, once for each revision', rendering, () => {
  const documents = render(tryOut)
  // Helm starts a hook before everything else, so it would wait for a database that never starts.
  assert.deepEqual(
    documents.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.startsWith('pre-')),
    [],
  )
  const { spec } = find(documents, 'Job', 'l-identity-migration-1')
  const [wait] = spec.template.spec.initContainers
  assert.equal(wait.command.at(-1), 'l-postgres')
  assert.equal(find(documents, 'Service', 'l-postgres').spec.ports[0].port, 5432)
})

test('lets pods of a try-out connect to the bundled servers alone', rendering, () => {
  const documents = render(tryOut)
  const peersOf = (name: string) =>
    find(documents, 'NetworkPolicy', name).spec.egress.flatMap(({ to, ports }: Rendered) => {
      const names = (to ?? []).map(
        ({ podSelector }: Rendered) => podSelector?.matchLabels['app.kubernetes.io/name'],
      )
      return ports?.[0].port === 53 ? [] : names
    })
  assert.deepEqual(peersOf('l-upload'), ['ingest', 'postgres', 'object-store'])
  assert.deepEqual(peersOf('l-identity'), ['postgres', 'valkey', 'mail'])
  assert.deepEqual(peersOf('l-migrations'), ['postgres'])
})

test('tests a release with what its components need, and removes what it created', rendering, () => {
  const envOf = (values: object) => {
    const documents = render(values)
    const hooks = documents.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test')
    assert.deepEqual(hooks.map(({ kind }) => kind).sort(), ['ConfigMap', 'NetworkPolicy', 'Pod'])
    for (const { metadata } of hooks) {
      assert.match(metadata.annotations['helm.sh/hook-delete-policy'], /hook-succeeded/)
    }
    const files = find(documents, 'ConfigMap', 'l-test')
    const read = (name: string) => readFileSync(join(chartDir, 'files', name))
    assert.equal(files.data['release-test.mjs'], read('release-test.mjs').toString())
    assert.equal(files.binaryData['release-test.ibt.br'], read('release-test.ibt.br').toString('base64'))
    const { env } = find(documents, 'Pod', 'l-test').spec.containers[0]
    return Object.fromEntries(env.map(({ name, value }: Rendered) => [name, value]))
  }
  const { GATEWAY, PUBLIC_TOKEN, STORE } = envOf({ gateway: { service: { port: 8000 } } })
  assert.deepEqual(
    { GATEWAY, PUBLIC_TOKEN, STORE },
    {
      GATEWAY: 'http://l-gateway:8000',
      PUBLIC_TOKEN: undefined,
      STORE: undefined,
    },
  )
  assert.equal(envOf(everything).STORE, 'public')
  assert.equal(envOf(tryOut).STORE, 'http://l-object-store:7070')
})

test('prints notes that lead to an address at which the page can sign in', rendering, t => {
  const copy = mkdtempSync(join(tmpdir(), 'lapwing-chart-'))
  t.after(() => rmSync(copy, { recursive: true }))
  cpSync(chartDir, copy, { recursive: true })
  // Helm prints notes only with a cluster, so an object carries them here.
  const notes = readFileSync(join(copy, 'templates/NOTES.txt'), 'utf8').replaceAll(/^(?!\{\{-)/gm, '  ')
  writeFileSync(
    join(copy, 'templates/notes.yaml'),
    `kind: Notes\nmetadata: { name: notes }\ntext: |\n  \n${notes}`,
  )
  const notesOf = (values: object): string => find(render(values, copy), 'Notes', 'notes').text
  assert.match(notesOf({}), /WARNING: global\.imageRegistry is still the placeholder/)
  assert.match(notesOf({}), /port-forward service\/l-gateway 8080:80\n/)
  const elsewhere = merged(everything, { gateway: { publicOrigin: 'https://lapwing.example' } })
  assert.match(notesOf(elsewhere), /Sign-in works at that address alone/)
  assert.match(
    notesOf(elsewhere),
    /There the page cannot sign in: set gateway\.publicOrigin=http:\/\/localhost:8080/,
  )
  assert.match(notesOf(elsewhere), /helm --namespace default rollback l REVISION/)
  assert.match(
    notesOf(tryOut),
    /port-forward service\/l-object-store 7070\n.*port-forward service\/l-mail 8025\n/,
  )
  assert.doesNotMatch(notesOf(tryOut), /cannot sign in/)
})

test('removes migrations that succeeded, and those that failed after a day', rendering, () => {
  const jobs = render(everything).filter(({ kind }) => kind === 'Job')
  assert.equal(jobs.length, 5)
  for (const { metadata, spec } of jobs) {
    assert.equal(metadata.annotations['helm.sh/hook-delete-policy'], 'before-hook-creation,hook-succeeded')
    assert.equal(spec.ttlSecondsAfterFinished, 86_400)
  }
})

test('restores before the migrations of a first installation, and never at an upgrade', rendering, () => {
  const documents = render(withBackups)
  const { metadata, spec } = find(documents, 'Job', 'l-restore')
  const { annotations } = metadata
  assert.equal(annotations['helm.sh/hook'], 'pre-install')
  assert.ok(Number(annotations['helm.sh/hook-weight']) < 0, 'migrations have the weight 0')
  const policy = find(documents, 'NetworkPolicy', 'l-restore').metadata.annotations
  assert.ok(Number(policy['helm.sh/hook-weight']) < Number(annotations['helm.sh/hook-weight']))
  const [{ command }] = spec.template.spec.containers
  assert.deepEqual(command.slice(1), [
    'src/restore.ts',
    '--replace',
    '--send-pending',
    '2026-11-30T03-17-00.123Z',
  ])
  const newest = render(merged(withBackups, { backup: { restore: { from: 'latest', options: [] } } }))
  const { containers } = find(newest, 'Job', 'l-restore').spec.template.spec
  assert.deepEqual(containers[0].command.slice(1), ['src/restore.ts'])
})

test(
  'backs up one at a time, as the restricted standard asks, into a volume that outlives the release',
  rendering,
  () => {
    const values = merged(withBackups, { backup: { volume: { existingClaim: '' }, restore: { from: '' } } })
    const documents = render(values)
    const { spec } = find(documents, 'CronJob', 'l-backup')
    assert.equal(spec.concurrencyPolicy, 'Forbid')
    const { containers, volumes, securityContext } = spec.jobTemplate.spec.template.spec
    assert.equal(securityContext.runAsNonRoot, true)
    const [{ securityContext: own, resources, env }] = containers
    assert.deepEqual(own, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(resources.limits.memory && resources.limits['ephemeral-storage'])
    assert.ok(env.some(isVariable('KEEP_BACKUPS', '48')) && env.some(isVariable('TIMEOUT_MINUTES', '720')))
    assert.equal(volumes[0].persistentVolumeClaim.claimName, 'l-backup')
    const claim = find(documents, 'PersistentVolumeClaim', 'l-backup')
    assert.equal(claim.metadata.annotations['helm.sh/resource-policy'], 'keep')
    const withoutBoards = render(merged(values, { boards: { enabled: false } }))
    const { env: fewer } = find(withoutBoards, 'CronJob', 'l-backup').spec.jobTemplate.spec.template.spec
      .containers[0]
    assert.equal(
      fewer.some(({ name }: Rendered) => /^S3_|INGEST/.test(name)),
      false,
    )
  },
)

test(
  'makes the first backup with the release, and again a Job of another name when it changes',
  rendering,
  () => {
    const values = merged(withBackups, { backup: { volume: { existingClaim: '' }, restore: { from: '' } } })
    const firstOf = (rendered: readonly Rendered[]) => {
      const job = rendered.find(
        ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('l-backup-first-'),
      )
      assert.ok(job)
      return job
    }
    const { metadata, spec } = firstOf(render(values))
    // No hook: it must run while Helm waits for the claim.
    assert.equal(metadata.annotations, undefined)
    const { containers, volumes } = spec.template.spec
    assert.deepEqual(containers[0].command.slice(1), ['src/backup.ts', '--first'])
    assert.equal(volumes[0].persistentVolumeClaim.claimName, 'l-backup')
    assert.equal(firstOf(render(values)).metadata.name, metadata.name)
    const changed = render(merged(values, { backup: { image: { tag: '9.9.9' } } }))
    assert.notEqual(firstOf(changed).metadata.name, metadata.name)
  },
)

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

function render(values: object, chart = chartDir): readonly Rendered[] {
  const args = ['template', 'l', chart, '--kube-version=1.33.0', '--values=-']
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
  return find(documents, 'Deployment', name).spec.template.spec
}

function find(documents: readonly Rendered[], itsKind: string, name: string): Rendered {
  const found = documents.find(({ kind, metadata }) => kind === itsKind && metadata.name === name)
  assert.ok(found, `there is no ${itsKind} ${name}`)
  return found
}

/** Returns a quantity of memory or disk in MiB. */
function mebibytes(quantity: string): number {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity)!
  return Number(number) * (unit === 'Gi' ? 1024 : 1)
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
