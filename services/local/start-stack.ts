import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from './free-ports.ts'
import type { Part } from './stack.ts'
import { type Supervised, type SupervisedOptions, superviseProcess } from './supervise-process.ts'

/**
 * Starts the parts in the order of their needs and resolves when every one of them answers.
 * Rejects with a sentence, and leaves nothing running, when a part cannot be started.
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { parts, rootDir, dataDir, say } = options
  const logDir = join(dataDir, 'logs')
  const tempDir = join(dataDir, 'tmp')
  mkdirSync(logDir, { recursive: true })
  rmSync(tempDir, { recursive: true, force: true })
  mkdirSync(tempDir, { recursive: true })

  const ports = await freePorts(parts.length)
  const portOf = (part: Part) =>
    part.isPublic && options.publicPort !== 0 ? options.publicPort : ports[parts.indexOf(part)]!
  const publicPart = parts.find(part => part.isPublic) ?? parts[0]!
  const isLocal = localHosts.includes(options.publicHost)
  const publicUrl = `http://${isLocal ? 'localhost' : options.publicHost}:${portOf(publicPart)}`
  const hostOf = (part: Part) => (part.isPublic && !isLocal ? options.publicHost : '127.0.0.1')
  const urls = Object.fromEntries(parts.map(part => [part.name, `http://${hostOf(part)}:${portOf(part)}`]))

  const running: Supervised[] = []
  let stopping: Promise<void> | null = null
  const stop = () => {
    // What was started last is stopped first, so that nothing still in use goes away.
    stopping ??= (async () => {
      for (const supervised of running.toReversed()) await supervised.stop()
      rmSync(tempDir, { recursive: true, force: true })
    })()
    return stopping
  }

  options.signal?.addEventListener('abort', () => void stop())
  try {
    for (const wave of startOrder(parts)) {
      await Promise.all(
        wave.map(part => {
          options.signal?.throwIfAborted()
          const supervised = superviseProcess({
            name: part.name,
            command: process.execPath,
            args: [...(options.nodeArgs ?? []), `--import=${exitWithParent}`, join(rootDir, part.entry)],
            cwd: rootDir,
            env: {
              ...options.env,
              LOG_LEVEL: options.env.LOG_LEVEL ?? 'info',
              // Below the time after which a process is killed (supervise-process.ts).
              DRAIN_MS: options.env.DRAIN_MS ?? '5000',
              TMPDIR: tempDir,
              ...part.env({ rootDir, dataDir, urls, publicUrl }),
              ...options.overrides?.[part.name],
              HOST: part.isPublic ? options.publicHost : '127.0.0.1',
              PORT: String(portOf(part)),
            },
            logFile: join(logDir, `${part.name}.log`),
            readyUrls: part.answers.map(path => `${urls[part.name]}${path}`),
            say,
            ...(options.timing && { timing: options.timing }),
          })
          running.push(supervised)
          return supervised.ready
        }),
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: publicUrl,
    urls,
    pids: () => Object.fromEntries(running.map(supervised => [supervised.name, supervised.pid()])),
    stop,
  }
}

export interface StackOptions {
  readonly parts: readonly Part[]
  readonly rootDir: string
  readonly dataDir: string
  /** 0 for any free port. */
  readonly publicPort: number
  readonly publicHost: string
  /** The environment every part inherits. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Further variables of single parts, by the part's name. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Flags for Node before the entry, such as `--watch`. */
  readonly nodeArgs?: readonly string[]
  /** Where a line for the person goes. */
  readonly say: (line: string) => void
  /** Shorter waits, for tests. */
  readonly timing?: SupervisedOptions['timing']
  /** Gives the start up; what already runs is stopped. */
  readonly signal?: AbortSignal
}

export interface RunningStack {
  /** Address a person opens. */
  readonly url: string
  readonly urls: Readonly<Record<string, string>>
  /** Process id of each part, by its name; undefined while it is down. */
  readonly pids: () => Readonly<Record<string, number | undefined>>
  readonly stop: () => Promise<void>
}

/** Listening on one of these, a part answers on this machine's own addresses. */
const localHosts = ['127.0.0.1', 'localhost', '0.0.0.0']

const exitWithParent = new URL('./exit-with-parent.ts', import.meta.url).href

/** The parts in waves: each wave needs only parts of the waves before it. */
export function startOrder(parts: readonly Part[]): Part[][] {
  const waves: Part[][] = []
  const started = new Set<string>()
  let waiting = [...parts]
  while (waiting.length > 0) {
    const wave = waiting.filter(part => part.needs.every(name => started.has(name)))
    if (wave.length === 0) {
      const names = waiting.map(part => part.name).join(', ')
      throw new Error(`The stack cannot start: ${names} need each other, or a part that is not in the table.`)
    }
    for (const part of wave) started.add(part.name)
    waiting = waiting.filter(part => !wave.includes(part))
    waves.push(wave)
  }
  return waves
}
