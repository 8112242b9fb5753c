import { run } from './run.ts'

/**
 * Runs a command that starts a cluster. Returns the environment with the variables that the command exports, such as
 * `KUBECONFIG`.
 */
export async function startCluster(
  command: string,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<NodeJS.ProcessEnv> {
  const exports = await run('sh', ['-c', command], { env, signal, withinMs: UP_WITHIN_MS })
  const all = await run('sh', ['-c', `${exports}\nenv -0`], { env, signal })
  return readEnvironment(all)
}

/** Parses `env -0`: each variable ends with a zero byte. A value may have line ends and equal signs. */
export function readEnvironment(text: string): NodeJS.ProcessEnv {
  return Object.fromEntries(
    text
      .split('\0')
      .filter(Boolean)
      .map(line => {
        const at = line.indexOf('=')
        return [line.slice(0, at), line.slice(at + 1)]
      }),
  )
}

const UP_WITHIN_MS = 45 * 60_000
