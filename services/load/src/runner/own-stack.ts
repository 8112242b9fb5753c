import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { stack } from '@lapwing/local/stack'
import { startStack } from '@lapwing/local/start-stack'
import { countStatements } from '../measure/count-statements.ts'
import type { ProbeOptions } from '../measure/probe.ts'

/** A Lapwing under load, with what can be measured of it. */
export interface LoadedLapwing {
  /** Address of its gateway. */
  readonly url: string
  readonly probe: ProbeOptions
  stop(): Promise<void>
}

const rootDir = join(import.meta.dirname, '../../../..')

/**
 * Starts all that `make run` starts but the demo app, with the settings of a deployment, in a new folder. Its gateway
 * trusts this machine as a proxy, so that each simulated driver has a network of their own. `stop` deletes the data.
 */
export async function startOwnStack({
  say,
  signal,
}: {
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}): Promise<LoadedLapwing> {
  const parent = join(rootDir, '.lapwing/load')
  mkdirSync(parent, { recursive: true })
  const dataDir = mkdtempSync(join(parent, 'stack-'))
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    // The gateway is ready only if it has a page. The load test never loads it.
    const page = join(dataDir, 'page')
    mkdirSync(page)
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>Lapwing</title>')
    const postgres = await startPostgres({ dir: join(dataDir, 'postgres'), countsStatements: true })
    closers.push(() => postgres.stop())
    const running = await startStack({
      parts: stack.filter(({ name }) => name !== 'demo-app'),
      rootDir,
      dataDir,
      publicPort: 0,
      publicHost: '127.0.0.1',
      env: { ...process.env, DATABASE_URL: postgres.url },
      overrides: { gateway: { TRUSTED_PROXIES: '127.0.0.1', FRONTEND_DIR: page } },
      say,
      signal,
    })
    closers.push(() => running.stop())
    await running.late
    const statements = await countStatements(postgres.url)
    closers.push(() => statements.close())
    return {
      url: running.urls.gateway!,
      probe: {
        metrics: running.metrics,
        pids: () => ({ ...running.pids(), postgres: postgres.pid }),
        readDatabase: statements.read,
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
