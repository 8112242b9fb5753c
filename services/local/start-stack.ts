import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSecrets } from '@lapwing/config/secrets'
import { runToEnd } from './run-to-end.ts'
import { removeRunningFile, writeRunningFile } from './running-file.ts'
import { stablePorts } from './stable-ports.ts'
import type { Part, RuntimeEnvironment } from './stack.ts'
import { endOf, type Supervised, type SupervisedOptions, superviseProcess } from './supervise-process.ts'

/**
 * Starts the parts in the order of their needs and resolves when every one of them answers. If a part cannot
 * start, rejects with a sentence and leaves nothing running.
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
  const ports = await stablePorts(join(dataDir, 'ports.json'), [
    ...parts.map(part => part.name),
    ...parts.map(metricsName),
    ...portNames,
  ])
  const furtherPorts = Object.fromEntries(portNames.map(name => [name, ports[name]!]))
  const portOf = (part: Part) =>
    part.isPublic && options.publicPort !== 0 ? options.publicPort : ports[part.name]!
  const publicPart = parts.find(part => part.isPublic) ?? parts[0]!
  const isLocal = LOCAL_HOSTS.includes(options.publicHost)
  const ownUrl = `http://${isLocal ? 'localhost' : options.publicHost}:${portOf(publicPart)}`
  const hostOf = (part: Part) => (part.isPublic && !isLocal ? options.publicHost : '127.0.0.1')
  const urls = Object.fromEntries(parts.map(part => [part.name, `http://${hostOf(part)}:${portOf(part)}`]))

  const metrics = Object.fromEntries(
    parts.map(part => [part.name, `http://127.0.0.1:${ports[metricsName(part)]}/metrics`]),
  )

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
    // Stop in reverse order, so that no part loses a part it still uses.
    givenUp.abort()
    stopping ??= (async () => {
      removeRunningFile(dataDir)
      rmSync(join(dataDir, 'metrics.json'), { force: true })
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
            // Shorter than the time after which a process is killed (supervise-process.ts).
            DRAIN_MS: options.env.DRAIN_MS ?? '5000',
            TMPDIR: tempDir,
            // Reading and compiling the code takes most of the start.
            NODE_COMPILE_CACHE: options.env.NODE_COMPILE_CACHE ?? join(rootDir, '.lapwing/compile-cache'),
            ...part.env(environment),
            ...options.overrides?.[part.name],
            HOST: part.isPublic ? options.publicHost : '127.0.0.1',
            PORT: String(portOf(part)),
            METRICS_HOST: '127.0.0.1',
            METRICS_PORT: String(ports[metricsName(part)]),
            ...Object.fromEntries((part.ports ?? []).map(name => [name, String(furtherPorts[name])])),
          }
          const logFile = join(logDir, `${part.name}.log`)
          const run = { name: part.name, cwd: rootDir, env, logFile }
          const before = part.before?.map(file => join(rootDir, file)) ?? []
          if (before.length > 0) {
            // One process for all: loading the code takes most of its time.
            const earlier = before.slice(0, -1).map(file => pathToFileURL(file).href)
            const args = [...[exitWithParent, ...earlier].map(url => `--import=${url}`), before.at(-1)!]
            await runToEnd({ ...run, args, signal: givenUp.signal })
          }
          givenUp.signal.throwIfAborted()
          const supervised = superviseProcess({
            ...run,
            command: process.execPath,
            args: [...(options.nodeArgs ?? []), `--import=${exitWithParent}`, join(rootDir, part.entry)],
            readyUrls: (part.answers ?? ['/readyz']).map(path => `${urls[part.name]}${path}`),
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
  writeTargets(join(dataDir, 'metrics.json'), Object.values(metrics))
  return {
    url: ownUrl,
    metrics,
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
  /** Address that a person opens, if another server is in front of the public part. */
  readonly publicUrl?: string
  /** The environment that every part inherits. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Further variables of single parts, by the part's name. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Flags for Node before the entry, such as `--watch`. */
  readonly nodeArgs?: readonly string[]
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
  /** Shorter waits, for tests. */
  readonly timing?: SupervisedOptions['timing']
  /** Aborts the start and stops what already runs. */
  readonly signal?: AbortSignal
}

export interface RunningStack {
  /** The address that a person opens. */
  readonly url: string
  readonly urls: Readonly<Record<string, string>>
  /** Address of the metrics of each part, by its name. `metrics.json` in the data folder has them too. */
  readonly metrics: Readonly<Record<string, string>>
  /** Resolves once every late part answers or has failed. */
  readonly late: Promise<void>
  /** Process id of each part, by its name; undefined while it is down. */
  readonly pids: () => Readonly<Record<string, number | undefined>>
  readonly stop: () => Promise<void>
}

/** The name under which the port of a part's metrics is stored. */
function metricsName(part: Part): string {
  return `metrics of ${part.name}`
}

/** Writes addresses in the form of Prometheus's `file_sd_configs`. */
function writeTargets(file: string, urls: readonly string[]): void {
  const targets = urls.map(url => new URL(url).host)
  writeFileSync(file, `${JSON.stringify([{ targets, labels: { job: 'lapwing' } }], null, 2)}\n`)
}

/** Tracks the late parts and prints their messages. */
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
            if (!signal.aborted) say(`${lines.failed} ${endOf(logFile, 1)}`)
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

/** Timing of a late part: a build may take this long, and a failed build fails again. */
const lateTiming = { readyMs: 25 * 60_000, firstTries: 1 }

/** A part that listens on one of these answers on this machine's own addresses. */
const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '0.0.0.0']

const exitWithParent = new URL('./exit-with-parent.ts', import.meta.url).href

/** Returns the parts without those that the environment replaces by a real server. */
function startedParts(parts: readonly Part[], env: StackOptions['env']): readonly Part[] {
  const isReplaced = (part: Part) => part.replacedBy !== undefined && Boolean(env[part.replacedBy])
  const replaced = parts.filter(isReplaced).map(({ name }) => name)
  return parts
    .filter(part => !isReplaced(part))
    .map(part => ({ ...part, needs: part.needs.filter(name => !replaced.includes(name)) }))
}

/** Returns the parts in waves that need only earlier waves. Throws if parts need each other. */
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
