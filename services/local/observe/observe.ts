import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { portProblem } from '../port-problem.ts'
import { superviseProcess } from '../supervise-process.ts'

export interface ObserveOptions {
  readonly rootDir: string
  /** Folder of the running stack. Prometheus stores a week there, at most 512 MB. */
  readonly dataDir: string
  /** The program of Prometheus: its name on the path, or its path. */
  readonly program: string
  readonly port: number
  readonly signal: AbortSignal
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
}

/**
 * Runs Prometheus on the stack of `dataDir` until `signal` fires. Throws a sentence if no stack runs there, if this
 * machine has no Prometheus, or if the port is taken.
 */
export async function observe({
  rootDir,
  dataDir,
  program,
  port,
  signal,
  say,
}: ObserveOptions): Promise<void> {
  const targets = join(dataDir, 'metrics.json')
  if (!existsSync(targets)) {
    throw new Error('Lapwing does not run from this folder. Start it with `make run`, then run this again.')
  }
  if (spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 10_000 }).status !== 0) {
    throw new Error(
      `Prometheus is not on this machine. Install it with your system's packages (apt install prometheus, brew install ` +
        `prometheus), or set PROMETHEUS to its path. Without it you can read the addresses in ${targets}.`,
    )
  }
  if ((await portProblem(port, '127.0.0.1')) !== null) {
    throw new Error(`Port ${port} is taken. Choose another: make observe OBSERVE_PORT=${port + 1}`)
  }
  const dir = join(dataDir, 'observe')
  mkdirSync(join(dataDir, 'logs'), { recursive: true })
  mkdirSync(dir, { recursive: true })
  const config = join(dir, 'prometheus.yml')
  writeFileSync(config, prometheusConfig({ targets, alerts: join(rootDir, 'charts/lapwing/alerts/*.yaml') }))
  const url = `http://127.0.0.1:${port}`
  const prometheus = superviseProcess({
    name: 'prometheus',
    command: program,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      '--storage.tsdb.retention.time=7d',
      '--storage.tsdb.retention.size=512MB',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: dir,
    env: process.env,
    logFile: join(dataDir, 'logs/prometheus.log'),
    readyUrls: [`${url}/-/ready`],
    say,
  })
  const stop = () => void prometheus.stop()
  signal.addEventListener('abort', stop)
  try {
    await prometheus.ready
    say(`Prometheus: ${url} (alerts: ${url}/alerts)`)
    say(`Dashboards: import ${join(rootDir, 'charts/lapwing/dashboards')} into a Grafana that reads it.`)
    say('Ctrl-C stops it.')
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await prometheus.stop()
  }
}

/** Returns the configuration of Prometheus: every process of the stack, and the alerts. JSON is valid YAML. */
function prometheusConfig({
  targets,
  alerts,
}: {
  readonly targets: string
  readonly alerts: string
}): string {
  return JSON.stringify({
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    rule_files: [alerts],
    scrape_configs: [{ job_name: 'lapwing', file_sd_configs: [{ files: [targets] }] }],
  })
}
