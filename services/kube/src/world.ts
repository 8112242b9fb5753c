import { join } from 'node:path'
import { type Client, startClient } from './client/start-client.ts'
import type { ClusterAccess, Namespace } from './cluster/namespace.ts'
import { nameOf } from './images/images.ts'
import type { KubeOptions } from './options.ts'

/** What the steps of a run share. */
export interface World {
  readonly options: KubeOptions
  readonly rootDir: string
  readonly say: (line: string) => void
  /** Aborts when a person stops the run. */
  readonly signal: AbortSignal
  /** Environment of all commands. The first step adds the variables that the cluster's command exports. */
  env: NodeJS.ProcessEnv
  /** Clients of the namespaces that have one. */
  readonly clients: Map<string, Client>
}

/** Names of the namespaces. They belong to the run, which deletes them. */
export const MAIN = 'lapwing-e2e'
export const RESTORED = 'lapwing-e2e-restored'
export const TRY_OUT = 'lapwing-e2e-try-out'
export const OLDER = 'lapwing-e2e-older'
export const RELEASE = 'lapwing'
/** Labels of all objects of the release. */
export const OF_RELEASE = `app.kubernetes.io/instance=${RELEASE}`

export function accessOf({ env, signal }: World): ClusterAccess {
  return { env, signal }
}

export function chartDir({ rootDir }: World): string {
  return join(rootDir, 'charts/lapwing')
}

export function gatewayImage({ options }: World): string {
  return nameOf({ name: 'lapwing/gateway' }, options.images)
}

/** Returns the client of a namespace. Starts it if there is none. */
export async function clientOf(world: World, namespace: Namespace): Promise<Client> {
  const started = world.clients.get(namespace.name)
  if (started !== undefined) return started
  const client = await startClient(namespace, gatewayImage(world), accessOf(world))
  world.clients.set(namespace.name, client)
  return client
}

export async function stopClient(world: World, { name }: Namespace): Promise<void> {
  await world.clients.get(name)?.stop()
  world.clients.delete(name)
}
