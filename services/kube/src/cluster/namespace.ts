import { setTimeout as delay } from 'node:timers/promises'
import { run } from './run.ts'

/** Calls of kubectl and helm in one namespace. */
export interface Namespace {
  readonly name: string
  /** Returns what kubectl prints. `withinMs` is two minutes if left out. */
  readonly kubectl: (args: readonly string[], more?: { input?: string; withinMs?: number }) => Promise<string>
  readonly helm: (args: readonly string[], withinMs?: number) => Promise<string>
  /** Returns the names of objects, such as `pod/a`, sorted. */
  readonly names: (kinds: string, labels: string) => Promise<readonly string[]>
}

export interface ClusterAccess {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export function openNamespace(name: string, { env, signal }: ClusterAccess): Namespace {
  const kubectl: Namespace['kubectl'] = (args, more = {}) =>
    run('kubectl', ['--namespace', name, ...args], { env, signal, ...more })
  return {
    name,
    kubectl,
    helm: (args, withinMs = HELM_WITHIN_MS) =>
      run(env.HELM ?? 'helm', ['--namespace', name, ...args], { env, signal, withinMs }),
    async names(kinds, labels) {
      const text = await kubectl(['get', kinds, `--selector=${labels}`, '--output=name'])
      return text.split('\n').filter(Boolean).sort()
    },
  }
}

/** Makes an empty namespace that refuses pods which are not restricted. Deletes one of an interrupted run first. */
export async function renewNamespace(namespace: Namespace): Promise<void> {
  await deleteNamespace(namespace)
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name, labels } }
  await namespace.kubectl(['create', '--filename=-'], { input: JSON.stringify(manifest) })
}

export async function deleteNamespace({ name, kubectl }: Namespace): Promise<void> {
  await kubectl(['delete', 'namespace', name, '--ignore-not-found', '--wait', '--timeout=5m'], {
    withinMs: 6 * 60_000,
  })
}

/** Waits until all pods of a workload, such as `deployment/a`, are new and ready. */
export async function untilRolledOut({ kubectl }: Namespace, workload: string): Promise<void> {
  await kubectl(['rollout', 'status', workload, '--timeout=8m'], { withinMs: 9 * 60_000 })
}

/** Asks again every half second. Rejects after `withinMs` with `what` in the message. */
export async function untilTrue(
  holds: () => Promise<boolean>,
  {
    what,
    withinMs,
    signal,
  }: { readonly what: string; readonly withinMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`)
    await delay(500, undefined, { signal })
  }
}

const HELM_WITHIN_MS = 22 * 60_000
