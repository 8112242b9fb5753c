import { setTimeout as delay } from 'node:timers/promises'
import { type Namespace, untilRolledOut, untilTrue } from '../cluster/namespace.ts'
import { deploy } from '../cluster/release.ts'
import { OF_RELEASE, RELEASE } from '../world.ts'
import { type Disturbance, underLoad } from './under-load.ts'

const WORKER = 'ingest-worker'

const restart: Disturbance = {
  name: 'restart',
  load: 'mixed',
  async disturb(_world, namespace) {
    const deployments = await namespace.names('deployments', OF_RELEASE)
    await namespace.kubectl(['rollout', 'restart', ...deployments])
    for (const deployment of deployments) await untilRolledOut(namespace, deployment)
    return `${deployments.length} deployments restarted`
  },
}

const deletePods: Disturbance = {
  name: 'delete',
  load: 'mixed',
  async disturb(_world, namespace) {
    const deployments = await namespace.names('deployments', OF_RELEASE)
    let deleted = 0
    for (const deployment of deployments) {
      if (deployment.endsWith(WORKER)) continue
      deleted += await deleteEach(namespace, deployment)
    }
    return `${deleted} pods deleted in turn`
  },
}

const deleteWorkers: Disturbance = {
  name: 'delete-workers',
  load: 'ingest',
  async disturb(_world, namespace, client) {
    const deployment = `deployment.apps/${RELEASE}-${WORKER}`
    const deleted = await deleteEach(namespace, deployment, () =>
      client.call('untilJudging', { scenario: 'ingest' }),
    )
    return `${deleted} workers deleted while files were judged`
  },
}

async function deleteEach(
  namespace: Namespace,
  deployment: string,
  before: () => Promise<unknown> = async () => {},
): Promise<number> {
  const pods = await podsOf(namespace, deployment)
  for (const pod of pods) {
    await before()
    await namespace.kubectl(['delete', pod, '--wait=true'], { withinMs: POD_GONE_WITHIN_MS })
    await untilRolledOut(namespace, deployment)
  }
  return pods.length
}

/** As the drain of a node does. The budgets of the release permit one pod of each deployment. */
const evict: Disturbance = {
  name: 'evict',
  load: 'mixed',
  async disturb({ signal }, namespace) {
    const deployments = await namespace.names('deployments', OF_RELEASE)
    await Promise.all(
      deployments.map(async deployment => {
        const [pod = ''] = await podsOf(namespace, deployment)
        await evictPod(namespace, pod)
        await untilTrue(async () => !(await podsOf(namespace, deployment)).includes(pod), {
          what: `${pod} is evicted`,
          withinMs: POD_GONE_WITHIN_MS,
          signal,
        })
        await untilRolledOut(namespace, deployment)
      }),
    )
    return `a pod of each of ${deployments.length} deployments evicted at once`
  },
}

async function evictPod({ name: namespace, kubectl }: Namespace, pod: string): Promise<void> {
  const name = pod.replace('pod/', '')
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
  await kubectl(['create', `--raw=${path}`, '--filename=-'], { input: JSON.stringify(eviction) })
}

const upgrade: Disturbance = {
  name: 'upgrade',
  load: 'mixed',
  async disturb(world, namespace) {
    // A new annotation replaces every pod. The migrations run before.
    await deploy(world, namespace, 'upgrade', [`--set-string=pods.annotations.e2e=${Date.now()}`])
    return 'every pod replaced'
  },
}

const rollback: Disturbance = {
  name: 'rollback',
  load: 'mixed',
  async disturb(_world, { helm }) {
    await helm(['rollback', RELEASE, '--wait', '--timeout=20m'])
    return 'to the revision before'
  },
}

const flushCache: Disturbance = {
  name: 'flush-cache',
  load: 'mixed',
  async disturb({ signal }, { kubectl }) {
    await kubectl(['exec', 'stores-valkey-0', '--', 'valkey-cli', 'flushall'])
    await delay(AFTER_FLUSH_MS, undefined, { signal })
    return ''
  },
}

const restartQueue: Disturbance = {
  name: 'restart-queue',
  load: 'mixed',
  mayRefuse: true,
  async disturb(_world, namespace) {
    const startMs = performance.now()
    await namespace.kubectl(['delete', 'pod', 'queue-valkey-0', '--wait=true'])
    await untilRolledOut(namespace, 'statefulset/queue-valkey')
    return `away ${secondsSince(startMs)} s`
  },
}

const postgresAway: Disturbance = {
  name: 'postgres-away',
  load: 'mixed',
  mayRefuse: true,
  async disturb({ signal }, namespace) {
    const statefulSet = 'statefulset/stores-postgres'
    await namespace.kubectl(['scale', statefulSet, '--replicas=0'])
    await namespace.kubectl(['wait', 'pod/stores-postgres-0', '--for=delete', '--timeout=100s'])
    const startMs = performance.now()
    await delay(AWAY_MS, undefined, { signal })
    await namespace.kubectl(['scale', statefulSet, '--replicas=1'])
    await untilRolledOut(namespace, statefulSet)
    const away = secondsSince(startMs)
    for (const deployment of await namespace.names('deployments', OF_RELEASE)) {
      await untilRolledOut(namespace, deployment)
    }
    return `away ${away} s, all pods ready after ${secondsSince(startMs)} s`
  },
}

/** The disturbances in their order. A rollback needs the upgrade before. */
export const disturbances = [
  restart,
  deletePods,
  deleteWorkers,
  evict,
  upgrade,
  rollback,
  flushCache,
  restartQueue,
  postgresAway,
].map(underLoad)

/** Returns the pods of a deployment that are not being deleted. */
async function podsOf({ kubectl }: Namespace, deployment: string): Promise<readonly string[]> {
  const name = deployment.slice(deployment.indexOf('/') + 1).replace(`${RELEASE}-`, '')
  const selector = `--selector=${OF_RELEASE},app.kubernetes.io/name=${name}`
  const { items } = JSON.parse(await kubectl(['get', 'pods', selector, '--output=json'])) as {
    readonly items: readonly { metadata: { readonly name: string; readonly deletionTimestamp?: string } }[]
  }
  return items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => `pod/${metadata.name}`)
}

function secondsSince(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(0)
}

/** The longest grace of a pod is 75 s. */
const POD_GONE_WITHIN_MS = 110_000
const AWAY_MS = 25_000
/** Windows of boards are read again, and services connect again. */
const AFTER_FLUSH_MS = 10_000
