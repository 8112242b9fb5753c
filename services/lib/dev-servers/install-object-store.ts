import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the path of the object store's program. Builds it first if it is missing, which takes minutes.
 * Rejects with a sentence if the build fails, and if `signal` aborts.
 */
export async function installObjectStore(toolsDir: string, signal?: AbortSignal): Promise<string> {
  const program = programIn(toolsDir)
  if (existsSync(program)) return program
  signal?.throwIfAborted()
  const script = join(import.meta.dirname, 'install-object-store.sh')
  // In a process group of its own, so that all processes of an aborted build end.
  const child = spawn('sh', [script, toolsDir], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2000)
  })
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
  }
  const timer = setTimeout(stop, WITHIN_MS)
  signal?.addEventListener('abort', stop)
  process.once('exit', stop)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return program
    signal?.throwIfAborted()
    throw new Error(output.trim() || 'The object store could not be built.')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    process.off('exit', stop)
  }
}

/** Returns whether the object store's program is built. */
export function isObjectStoreBuilt(toolsDir: string): boolean {
  return existsSync(programIn(toolsDir))
}

const programIn = (toolsDir: string) => join(toolsDir, 'versitygw/versitygw')

/** Many times the usual duration; ends a download that hangs. */
const WITHIN_MS = 20 * 60_000
