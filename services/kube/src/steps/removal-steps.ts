import { join } from 'node:path'
import {
  deleteNamespace,
  type Namespace,
  openNamespace,
  renewNamespace,
  untilTrue,
} from '../cluster/namespace.ts'
import { valuesOfImages, valuesOfServers } from '../cluster/release.ts'
import type { Step } from '../run-steps.ts'
import {
  accessOf,
  chartDir,
  MAIN,
  OF_RELEASE,
  RELEASE,
  RESTORED,
  stopClient,
  TRY_OUT,
  type World,
} from '../world.ts'

export const uninstall: Step<World> = {
  name: 'uninstall',
  async run(world) {
    const kept: string[] = []
    for (const name of [MAIN, RESTORED]) {
      const namespace = openNamespace(name, accessOf(world))
      if ((await namespace.helm(['list', '--short'])).trim() === '') continue
      await stopClient(world, namespace)
      kept.push(...(await uninstallRelease(world, namespace, [`persistentvolumeclaim/${RELEASE}-backup`])))
      await deleteNamespace(namespace)
    }
    return `only ${kept.join(', ')} stayed, as the chart says`
  },
}

export const tryOut: Step<World> = {
  name: 'try-out',
  async run(world) {
    const namespace = openNamespace(TRY_OUT, accessOf(world))
    await renewNamespace(namespace)
    const chart = chartDir(world)
    await namespace.helm([
      ...['install', RELEASE, chart, `--values=${join(chart, 'values-try-out.yaml')}`],
      ...valuesOfServers(world.options, world.rootDir),
      ...valuesOfImages(world.options),
      ...['--wait', '--timeout=20m'],
    ])
    await namespace.helm(['test', RELEASE, '--timeout=10m'])
    await uninstallRelease(world, namespace, [])
    await deleteNamespace(namespace)
    return 'bundled servers, helm test passed, nothing stayed'
  },
}

/**
 * Uninstalls the release and waits until none of its objects is left, except `kept`. Returns those that are left.
 * Rejects with the names of others.
 */
async function uninstallRelease(
  { signal }: World,
  namespace: Namespace,
  kept: readonly string[],
): Promise<readonly string[]> {
  const { helm, kubectl, names } = namespace
  await helm(['uninstall', RELEASE, '--wait', '--timeout=5m'])
  const resources = await kubectl(['api-resources', '--namespaced', '--verbs=list,delete', '--output=name'])
  const kinds = kindsToSearch(resources)
  let left: readonly string[] = []
  const others = () => left.filter(name => !kept.includes(name))
  try {
    await untilTrue(
      async () => {
        left = [
          ...(await names(kinds, OF_RELEASE)),
          ...(await names('secrets', `owner=helm,name=${RELEASE}`)),
        ]
        return others().length === 0
      },
      { what: 'nothing is left', withinMs: GONE_WITHIN_MS, signal },
    )
  } catch (error) {
    if (others().length === 0) throw error
    throw new Error(`uninstalling left ${others().join(', ')}`, { cause: error })
  }
  return left
}

const GONE_WITHIN_MS = 120_000

/** Returns the kinds of objects for `kubectl get`, from the lines of `kubectl api-resources`. Events expire by themselves. */
export function kindsToSearch(resources: string): string {
  return resources
    .split('\n')
    .filter(name => name !== '' && !/^events(?:\.|$)/.test(name))
    .join(',')
}
