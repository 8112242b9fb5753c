import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks that the lockfile pins every package by its hash and names no registry's host, so that each
 * developer installs from the registry of their own setup. Returns the problems, one a line, or null.
 */
export function checkLockfile(rootDir: string): string | null {
  return (
    lockfileProblems(JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8'))).join('\n') || null
  )
}

export function lockfileProblems(lockfile: Lockfile): string[] {
  return Object.entries(lockfile.packages).flatMap(([path, { resolved, integrity, link, inBundle }]) => {
    if (resolved !== undefined && /^[a-z+]+:\/\//.test(resolved)) return [`${path} names a host: ${resolved}`]
    const isInstalled = path.includes('node_modules/') && !link && !inBundle
    return isInstalled && integrity === undefined ? [`${path} has no integrity hash`] : []
  })
}

interface Lockfile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly resolved?: string
        readonly integrity?: string
        readonly link?: boolean
        readonly inBundle?: boolean
      }
    >
  >
}
