import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const version = '4.32.5'
const run = promisify(execFile)

/** Path of Schemathesis in `.tools`, where it is installed at its first use. */
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
  /** Where it keeps what it saw, so that a failure can be replayed. */
  readonly folder: string
  readonly url: string
  readonly seed: string
  /** Requests made up for each operation, beside those at the limits of each value. */
  readonly examples: string
}

/** Sends requests of every operation and answers whether all answers were the contract's. */
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
      // Refusals are what many of these calls are answered with.
      ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color', '--request-timeout', '30'],
    ],
    { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => resolve(code === 0))
  })
}

/** What is held of every answer. 5xx is counted by the proxy, which knows the ones that are true. */
const checks = [
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
