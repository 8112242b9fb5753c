import { join } from 'node:path'
import { nameOf, standIns } from '../images/images.ts'
import type { KubeOptions } from '../options.ts'
import { chartDir, RELEASE, type World } from '../world.ts'
import { type Namespace, untilRolledOut } from './namespace.ts'

/** Installs the servers that the release needs, as the chart bundles them: the queue has a Valkey of its own. */
export async function installStores(
  world: World,
  namespace: Namespace,
  secret: string | null = null,
): Promise<void> {
  const parts = ['postgres', 'valkey', 'object-store', 'mail', ...(secret === null ? ['secret'] : [])]
  const stores = await renderBundled(world, namespace, 'stores', parts)
  const queue = await renderBundled(world, namespace, 'queue', ['valkey'])
  for (const manifest of [stores, queue, ...(secret === null ? [] : [secret])]) {
    await namespace.kubectl(['create', '--filename=-'], { input: manifest })
  }
  const patch = JSON.stringify({ stringData: { 'queue-url': 'redis://queue-valkey:6379' } })
  await namespace.kubectl(['patch', 'secret', 'stores-bundled', `--patch=${patch}`])
  for (const server of [
    'stores-postgres',
    'stores-valkey',
    'stores-object-store',
    'stores-mail',
    'queue-valkey',
  ]) {
    await untilRolledOut(namespace, `statefulset/${server}`)
  }
}

function renderBundled(
  world: World,
  { name, helm }: Namespace,
  release: string,
  parts: readonly string[],
): Promise<string> {
  const chart = chartDir(world)
  return helm([
    ...['template', release, chart, `--namespace=${name}`, `--values=${join(chart, 'values-try-out.yaml')}`],
    ...valuesOfServers(world.options, world.rootDir),
    ...['--set=networkPolicy.enabled=false', '--set=gateway.publicOrigin=http://lapwing-gateway'],
    ...parts.map(part => `--show-only=templates/bundled/${part}.yaml`),
  ])
}

/** Returns the options of Helm for the images of the bundled servers. */
export function valuesOfServers(
  { values, standIns: areUsed, images }: KubeOptions,
  rootDir: string,
): string[] {
  const [store, mail] = standIns.map(image => nameOf(image, images))
  return [
    ...(areUsed
      ? [
          `--values=${join(rootDir, 'services/kube/stand-ins/values.yaml')}`,
          `--set=bundled.objectStore.image=${store}`,
          `--set=bundled.mail.image=${mail}`,
        ]
      : []),
    ...values.map(file => `--values=${file}`),
  ]
}

/** Returns the options of Helm for the images of Lapwing. */
export function valuesOfImages({ images: { registry, tag } }: KubeOptions): string[] {
  return [`--set=global.imageRegistry=${registry}`, `--set-string=global.imageTag=${tag}`]
}

/** Installs or upgrades the release with the values of the run, and waits until all pods are ready. */
export async function deploy(
  world: World,
  { helm }: Namespace,
  verb: 'install' | 'upgrade',
  more: readonly string[] = [],
): Promise<void> {
  await helm([
    ...[verb, RELEASE, chartDir(world)],
    ...['values.yaml', 'values-newer.yaml'].map(
      file => `--values=${join(world.rootDir, 'services/kube', file)}`,
    ),
    ...valuesOfImages(world.options),
    ...world.options.values.map(file => `--values=${file}`),
    ...['--wait', '--wait-for-jobs', '--timeout=20m'],
    ...more,
  ])
}
