import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const version = '4.32.5'
const run = promisify(execFile)

/** Returns the path of Schemathesis in `.tools`. Installs it at the first use. */
export async function installSchemathesis(rootDir: string): Promise<string> {
  const folder = join(rootDir, '.tools/fuzz-python')
  const python = join(folder, 'bin/python')
  const command = join(folder, 'bin/schemathesis')
  const isThere = await run(command, ['--version']).then(
    ({ stdout }) => stdout.includes(version),
    () => false,
  )
  if (!isThere) {
    console.log(`Installing Schemathesis ${version}`)
    if (!existsSync(python)) await run('python3', ['-m', 'venv', folder], { timeout: 120_000 })
    const quiet = ['--quiet', '--disable-pip-version-check']
    await run(python, ['-m', 'pip', 'install', ...quiet, `schemathesis==${version}`], { timeout: 300_000 })
  }
  return command
}

export interface SchemathesisRun {
  readonly command: string
  /** File of the contract. */
  readonly contract: string
  /** Folder for its records, so that a failure can be replayed. */
  readonly folder: string
  readonly url: string
  readonly seed: string
  /** Generated requests per operation, beside those at the limits of each value. */
  readonly examples: string
}

/** Sends requests to every operation. Returns whether all answers fit the contract. */
export function runSchemathesis({
  command,
  contract,
  folder,
  url,
  seed,
  examples,
}: SchemathesisRun): Promise<boolean> {
  const child = spawn(
    command,
    [
      ...['run', contract, '--url', url, '--seed', seed, '--max-examples', examples],
      ...['--phases', 'examples,coverage,fuzzing', '--checks', checks.join(','), '--continue-on-failure'],
      // Many of these calls are rightly refused.
      ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color', '--request-timeout', '30'],
    ],
    { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => resolve(code === 0))
  })
}

/** Checks of every answer. The proxy counts 5xx, because it knows which are correct. */
const checks = [
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
