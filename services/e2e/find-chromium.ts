import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns the path of the machine's Chromium or Chrome: CHROME_PATH, else the first on PATH, else the usual
 * path on macOS. Null if there is none.
 */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.CHROME_PATH) return isExecutable(env.CHROME_PATH) ? env.CHROME_PATH : null
  return [...pathsOf(names, env), ...macPaths].find(isExecutable) ?? null
}

/** Returns the path of Chromium's headless shell on PATH; null if there is none. */
export function findHeadlessShell(env: Readonly<Record<string, string | undefined>>): string | null {
  return pathsOf([headlessShell], env).find(isExecutable) ?? null
}

function pathsOf(names: readonly string[], env: Readonly<Record<string, string | undefined>>): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  return names.flatMap(name => folders.map(folder => join(folder, name)))
}

const headlessShell = 'chromium-headless-shell'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', headlessShell]

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
