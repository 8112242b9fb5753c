import { spawnSync } from 'node:child_process'
import { findChromium } from './find-chromium.ts'

/** Installs Chromium if this process has the rights for it; otherwise prints how to get it. */
export async function installChromium(say: (line: string) => void): Promise<void> {
  if (findChromium(process.env) !== null) return
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) {
    say('The browser tests need Chromium or Chrome. Install it, or set CHROME_PATH to where it is.')
    return
  }
  say('Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' })
  const { status, stderr } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    {
      env,
      encoding: 'utf8',
    },
  )
  if (status !== 0) say(`Chromium could not be installed:\n${stderr.trim().slice(-2000)}`)
}
