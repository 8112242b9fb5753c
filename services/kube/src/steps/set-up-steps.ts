import { openNamespace, renewNamespace } from '../cluster/namespace.ts'
import { deploy, installStores } from '../cluster/release.ts'
import { run } from '../cluster/run.ts'
import { startCluster } from '../cluster/start-cluster.ts'
import { buildImages } from '../images/build-images.ts'
import { images, standIns } from '../images/images.ts'
import type { Step } from '../run-steps.ts'
import { accessOf, clientOf, MAIN, OF_RELEASE, RELEASE, type World } from '../world.ts'

export const up: Step<World> = {
  name: 'up',
  isNeeded: true,
  async run(world) {
    if (world.options.up !== null) world.env = await startCluster(world.options.up, accessOf(world))
    const version = await run('kubectl', ['version', '--output=json'], accessOf(world))
    const { serverVersion } = JSON.parse(version) as { serverVersion: { gitVersion: string } }
    return `Kubernetes ${serverVersion.gitVersion}`
  },
}

export const buildAll: Step<World> = {
  name: 'images',
  isNeeded: true,
  async run({ options, ...world }) {
    const all = [...images, ...(options.standIns ? standIns : [])]
    await buildImages(all, options.images, { ...world, load: options.load })
    return `${all.length} images`
  },
}

export const install: Step<World> = {
  name: 'install',
  isNeeded: true,
  async run(world) {
    const namespace = openNamespace(MAIN, accessOf(world))
    await renewNamespace(namespace)
    await installStores(world, namespace)
    const startMs = performance.now()
    await deploy(world, namespace, 'install')
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
    const pods = await namespace.names('pods', OF_RELEASE)
    return `${pods.length} restricted pods ready ${seconds} s after their servers`
  },
}

export const helmTest: Step<World> = {
  name: 'helm-test',
  async run(world) {
    await openNamespace(MAIN, accessOf(world)).helm(['test', RELEASE, '--timeout=10m'])
    return 'page, preview, account, upload, board, deletion'
  },
}

export const trip: Step<World> = {
  name: 'trip',
  isNeeded: true,
  async run(world) {
    const client = await clientOf(world, openNamespace(MAIN, accessOf(world)))
    const mixed = await client.call('setUp', { scenario: 'mixed' })
    const ingest = await client.call('setUp', { scenario: 'ingest' })
    return `${mixed.drivers + ingest.drivers} sign-ups, ${mixed.laps} uploads, ${mixed.rows} rows on boards`
  },
}

export const down: Step<World> = {
  name: 'down',
  isFinal: true,
  async run({ options, env }) {
    if (options.down === null) return 'the cluster stays'
    await run('sh', ['-c', options.down], { env, withinMs: DOWN_WITHIN_MS })
    return ''
  },
}

const DOWN_WITHIN_MS = 5 * 60_000
