import { spawnSync } from 'node:child_process'
import { findChromium, findHeadlessShell } from './find-chromium.ts'

/**
 * Returns the browser for the tests: that of CHROME_PATH, else Chromium's headless shell, else the machine's
 * Chromium or Chrome; null without one. Installs the headless shell if that needs no further rights.
 *
 * The shell is the same engine without a browser window. A visit takes 4.3 s of CPU instead of 7.2 s.
 */
export async function installChromium(say: (line: string) => void): Promise<string | null> {
  if (process.env.CHROME_PATH) return findChromium(process.env)
  if (findHeadlessShell(process.env) === null) install(say)
  const found = findHeadlessShell(process.env) ?? findChromium(process.env)
  if (found === null) {
    say('The browser tests need Chromium or Chrome. Install it, or set CHROME_PATH to where it is.')
  }
  return found
}

function install(say: (line: string) => void): void {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) return
  say('Installing the headless shell of Chromium …')
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    timeout: 300_000,
  } as const
  // Without a network, each try would take minutes.
  const soon = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
  spawnSync('apt-get', ['update', ...soon], options)
  // Some distributions have no package of the shell alone.
  const packages = ['chromium-headless-shell', ...(findChromium(process.env) === null ? ['chromium'] : [])]
  for (const name of packages) {
    const { status, stderr } = spawnSync(
      'apt-get',
      ['install', '-y', ...soon, '--no-install-recommends', name],
      options,
    )
    if (status === 0) return
    say(`${name} could not be installed:\n${(stderr ?? '').trim().slice(-2000)}`)
  }
}
