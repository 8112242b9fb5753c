import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSecrets } from '@lapwing/config/secrets'
import { keptPorts } from './kept-ports.ts'
import { runToEnd } from './run-to-end.ts'
import { removeRunningFile, writeRunningFile } from './running-file.ts'
import type { Part, RuntimeEnvironment } from './stack.ts'
import { type Supervised, type SupervisedOptions, superviseProcess } from './supervise-process.ts'

/**
 * Starts the parts in the order of their needs and resolves when every one of them answers.
 * Rejects with a sentence, and leaves nothing running, when a part cannot be started.
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { rootDir, dataDir, say } = options
  const parts = startedParts(options.parts, options.env)
  const logDir = join(dataDir, 'logs')
  const tempDir = join(dataDir, 'tmp')
  mkdirSync(logDir, { recursive: true })
  rmSync(tempDir, { recursive: true, force: true })
  mkdirSync(tempDir, { recursive: true })

  const portNames = parts.flatMap(part => part.ports ?? [])
  const ports = await keptPorts(join(dataDir, 'ports.json'), [...parts.map(part => part.name), ...portNames])
  const furtherPorts = Object.fromEntries(portNames.map(name => [name, ports[name]!]))
  const portOf = (part: Part) =>
    part.isPublic && options.publicPort !== 0 ? options.publicPort : ports[part.name]!
  const publicPart = parts.find(part => part.isPublic) ?? parts[0]!
  const isLocal = LOCAL_HOSTS.includes(options.publicHost)
  const ownUrl = `http://${isLocal ? 'localhost' : options.publicHost}:${portOf(publicPart)}`
  const hostOf = (part: Part) => (part.isPublic && !isLocal ? options.publicHost : '127.0.0.1')
  const urls = Object.fromEntries(parts.map(part => [part.name, `http://${hostOf(part)}:${portOf(part)}`]))

  const environment: RuntimeEnvironment = {
    rootDir,
    dataDir,
    urls,
    ports: furtherPorts,
    publicUrl: options.publicUrl ?? ownUrl,
    env: options.env,
    secret: openSecrets(join(dataDir, 'secrets.json')),
  }

  const running: Supervised[] = []
  const givenUp = new AbortController()
  let stopping: Promise<void> | null = null
  const stop = () => {
    // What was started last is stopped first, so that nothing still in use goes away.
    givenUp.abort()
    stopping ??= (async () => {
      removeRunningFile(dataDir)
      for (const supervised of running.toReversed()) await supervised.stop()
      rmSync(tempDir, { recursive: true, force: true })
    })()
    return stopping
  }

  const late = lateParts(say)
  options.signal?.addEventListener('abort', () => void stop())
  try {
    for (const wave of startOrder(parts)) {
      await Promise.all(
        wave.map(async part => {
          options.signal?.throwIfAborted()
          const env = {
            ...options.env,
            LOG_LEVEL: options.env.LOG_LEVEL ?? 'info',
            // Below the time after which a process is killed (supervise-process.ts).
            DRAIN_MS: options.env.DRAIN_MS ?? '5000',
            TMPDIR: tempDir,
            // Reading and compiling the code is most of what a start costs.
            NODE_COMPILE_CACHE: options.env.NODE_COMPILE_CACHE ?? join(rootDir, '.lapwing/compile-cache'),
            ...part.env(environment),
            ...options.overrides?.[part.name],
            HOST: part.isPublic ? options.publicHost : '127.0.0.1',
            PORT: String(portOf(part)),
            ...Object.fromEntries((part.ports ?? []).map(name => [name, String(furtherPorts[name])])),
          }
          const logFile = join(logDir, `${part.name}.log`)
          const run = { name: part.name, cwd: rootDir, env, logFile }
          for (const file of part.before ?? []) {
            const args = [`--import=${exitWithParent}`, join(rootDir, file)]
            await runToEnd({ ...run, args, signal: givenUp.signal })
          }
          givenUp.signal.throwIfAborted()
          const supervised = superviseProcess({
            ...run,
            command: process.execPath,
            args: [...(options.nodeArgs ?? []), `--import=${exitWithParent}`, join(rootDir, part.entry)],
            readyUrls: part.answers.map(path => `${urls[part.name]}${path}`),
            say,
            timing: { ...options.timing, ...(part.late && lateTiming) },
          })
          running.push(supervised)
          if (part.late === undefined) await supervised.ready
          else late.add(part.late, supervised, { logFile, signal: givenUp.signal })
        }),
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  late.nameWaiting()
  writeRunningFile(dataDir, urls)
  return {
    url: ownUrl,
    late: late.settled(),
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
  /** Address that a person opens, where something stands before the public part. */
  readonly publicUrl?: string
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
  /** Resolves once the late parts answer too, or never will. */
  readonly late: Promise<void>
  /** Process id of each part, by its name; undefined while it is down. */
  readonly pids: () => Readonly<Record<string, number | undefined>>
  readonly stop: () => Promise<void>
}

/** Follows the parts that the stack is up without, and tells the person of them. */
function lateParts(say: (line: string) => void) {
  const waiting = new Map<Supervised, NonNullable<Part['late']>>()
  const settled: Promise<void>[] = []
  let isNamed = false
  return {
    add(
      lines: NonNullable<Part['late']>,
      supervised: Supervised,
      { logFile, signal }: { readonly logFile: string; readonly signal: AbortSignal },
    ) {
      waiting.set(supervised, lines)
      settled.push(
        supervised.ready.then(
          () => {
            waiting.delete(supervised)
            if (isNamed) say(lines.ready)
          },
          () => {
            waiting.delete(supervised)
            if (!signal.aborted) say(`${lines.failed} ${lastLine(logFile)}`)
          },
        ),
      )
    },
    nameWaiting() {
      isNamed = true
      for (const lines of waiting.values()) say(lines.waiting)
    },
    settled: async () => {
      await Promise.all(settled)
    },
  }
}

function lastLine(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1)!
}

/** Of a part that is late: a build may take this long, and one that failed fails again. */
const lateTiming = { readyMs: 25 * 60_000, firstTries: 1 }

/** Listening on one of these, a part answers on this machine's own addresses. */
const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '0.0.0.0']

const exitWithParent = new URL('./exit-with-parent.ts', import.meta.url).href

/** Without those for which the environment names a real one. */
function startedParts(parts: readonly Part[], env: StackOptions['env']): readonly Part[] {
  const isReplaced = (part: Part) => part.standsInFor !== undefined && Boolean(env[part.standsInFor])
  const replaced = parts.filter(isReplaced).map(({ name }) => name)
  return parts
    .filter(part => !isReplaced(part))
    .map(part => ({ ...part, needs: part.needs.filter(name => !replaced.includes(name)) }))
}

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
