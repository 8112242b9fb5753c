import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns the path of the machine's Chromium or Chrome: CHROME_PATH, else the first on PATH, else the usual
 * path on macOS. Null if there is none.
 */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.CHROME_PATH) return isExecutable(env.CHROME_PATH) ? env.CHROME_PATH : null
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  const onPath = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...onPath, ...macPaths].find(isExecutable) ?? null
}

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chromium-headless-shell',
]

const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
