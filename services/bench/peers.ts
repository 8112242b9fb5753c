import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchContext } from './bench.ts'
import type { Command } from './run-process.ts'

/**
 * Returns the command that reads columns of a file with another library; null if that is not on this machine.
 */
export type Peer = ((path: string, names: readonly string[] | 'all') => Command) | null

export type PeerName = keyof typeof PYTHON | 'ibt-telemetry'

/** The packages from PyPI, each with its module. */
const PYTHON = {
  numpy: { version: '2.4.6', module: 'numpy', script: 'numpy_columns.py' },
  pyirsdk: { version: '1.3.7', module: 'irsdk', script: 'pyirsdk_columns.py' },
  libibt: { version: '0.0.5', module: 'libibt', script: 'libibt_columns.py' },
} as const

/** ibt-telemetry is compiled for engines without generators, so it needs their runtime. */
const NPM = ['ibt-telemetry@1.1.1', 'regenerator-runtime@0.14.1']

/**
 * Finds the libraries that Lapwing is compared with. They are in `.tools` and never among its dependencies.
 * Installs missing ones unless `install` is false. A library that cannot be installed is null.
 */
export async function findPeers(context: BenchContext, install: boolean): Promise<Record<PeerName, Peer>> {
  return {
    numpy: await pythonPeer(context, 'numpy', install),
    pyirsdk: await pythonPeer(context, 'pyirsdk', install),
    libibt: await pythonPeer(context, 'libibt', install),
    'ibt-telemetry': await npmPeer(context, install),
  }
}

const run = promisify(execFile)

const INSTALL_TIMEOUT_MS = 5 * 60_000

async function pythonPeer(
  { root, log }: BenchContext,
  name: keyof typeof PYTHON,
  install: boolean,
): Promise<Peer> {
  const { version, module, script } = PYTHON[name]
  const folder = join(root, '.tools', 'bench-python')
  const python = join(folder, 'bin', 'python')
  const imports = () =>
    run(python, ['-c', `import ${module}`]).then(
      () => true,
      () => false,
    )
  if (!(await imports())) {
    if (!install) return null
    try {
      log(`installing ${name}`)
      const options = { timeout: INSTALL_TIMEOUT_MS }
      if (!existsSync(python)) await run('python3', ['-m', 'venv', folder], options)
      const quiet = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '15']
      await run(python, ['-m', 'pip', 'install', ...quiet, `${name}==${version}`], options)
    } catch (cause) {
      log(`${name} cannot be installed: ${firstLine(cause)}`)
    }
    if (!(await imports())) return null
  }
  return (path, names) => ({
    command: python,
    args: [join(import.meta.dirname, 'peers', script), path, names === 'all' ? 'all' : names.join(',')],
    // If set, these limit numpy to a smaller processor than the one it runs on.
    env: { OPENBLAS_CORETYPE: undefined, OPENBLAS_L2_SIZE: undefined },
  })
}

async function npmPeer(context: BenchContext, install: boolean): Promise<Peer> {
  const folder = await npmFolder(context, NPM, install)
  if (folder === null) return null
  return (path, names) => ({
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'peers', 'ibt-telemetry-columns.mjs'),
      path,
      names === 'all' ? 'all' : names.join(','),
      folder,
    ],
  })
}

/**
 * Returns a folder with a package whose name and version are the first of `packages`; null if it cannot be
 * installed.
 */
export async function npmFolder(
  { root, log }: BenchContext,
  packages: readonly string[],
  install: boolean,
): Promise<string | null> {
  const name = packages[0]!.split('@', 1)[0]!
  const folder = join(root, '.tools', `bench-${name}`)
  const isThere = () => existsSync(join(folder, 'node_modules', name, 'package.json'))
  if (!isThere()) {
    if (!install) return null
    try {
      log(`installing ${name}`)
      mkdirSync(folder, { recursive: true })
      // Its own project, so that npm does not use ours.
      writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
      const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries', '1']
      await run('npm', ['install', ...quiet, ...packages], { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
    } catch (cause) {
      log(`${name} cannot be installed: ${firstLine(cause)}`)
    }
    if (!isThere()) return null
  }
  return folder
}

function firstLine(cause: unknown): string {
  return cause instanceof Error ? cause.message.split('\n', 1)[0]! : String(cause)
}
