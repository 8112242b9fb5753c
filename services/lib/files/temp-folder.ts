import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The private folder of this process for files under way. */
export interface TempFolder {
  readonly path: string
  /** A path no file has yet. The name says nothing of the driver's file. */
  newPath(): string
  /** Whether a file can be written, which a full disk or a removed folder prevents. */
  isWritable(): Promise<boolean>
  /** Removes a file, if it is there. */
  removeFile(path: string): Promise<void>
  /** Removes the folder and all in it. */
  remove(): Promise<void>
  /** The same at once, for a process that is about to end. */
  removeNow(): void
}

/**
 * Makes a folder only this user can enter (0700) below `parent`, and removes those that processes of
 * the same service which no longer run have left there. The folder goes at the latest when the process
 * ends, also after a drain that took too long or a fatal error.
 */
export async function createTempFolder(parent: string, service: string): Promise<TempFolder> {
  const prefix = prefixOf(service)
  await sweep(parent, prefix)
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  if (ours.size === 0) process.once('exit', () => ours.forEach(removeNow))
  ours.add(path)
  const newPath = () => join(path, randomUUID())
  return {
    path,
    newPath,
    async isWritable() {
      const probe = newPath()
      try {
        await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 })
        return true
      } catch {
        return false
      } finally {
        await unlink(probe).catch(() => undefined)
      }
    },
    async removeFile(path) {
      await unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    remove: () => rm(path, { recursive: true, force: true }),
    removeNow: () => removeNow(path),
  }
}

function removeNow(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/**
 * The machine is part of the name because process ids mean nothing elsewhere: containers that
 * share a volume number their processes alike.
 */
function prefixOf(service: string): string {
  return `lapwing-${service}-${hostname().replace(/[^A-Za-z0-9.]/g, '_')}-`
}

/** Folders of this process, which may run the service more than once, as tests do. */
const ours = new Set<string>()

async function sweep(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (!Number.isInteger(pid)) continue
    const path = join(parent, name)
    // The first process of a container has the same id after each restart.
    if (pid === process.pid ? ours.has(path) : isRunning(pid)) continue
    // Left to the next start where it belongs to another user.
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
