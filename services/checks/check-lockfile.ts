import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks that the lockfile pins every package by its hash, and the version that each workspace asks for. It
 * may name no registry's host, so that each developer installs from the registry of their own setup. Returns
 * the problems, one a line, or null.
 */
export function checkLockfile(rootDir: string): string | null {
  return (
    lockfileProblems(JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8'))).join('\n') || null
  )
}

export function lockfileProblems({ packages }: Lockfile): string[] {
  return [...packageProblems(packages), ...versionProblems(packages)]
}

function packageProblems(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, integrity, link, inBundle }]) => {
    if (resolved !== undefined && /^[a-z+]+:\/\//.test(resolved)) return [`${path} names a host: ${resolved}`]
    const isInstalled = path.includes('node_modules/') && !link && !inBundle
    return isInstalled && integrity === undefined ? [`${path} has no integrity hash`] : []
  })
}

/** Finds versions that npm keeps installing although the workspace asks for another one. */
function versionProblems(packages: Packages): string[] {
  const workspaces = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'))
  return workspaces.flatMap(([workspace, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, wanted]) => {
      const entry = packages[`${workspace}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
      const isOther = /^\d/.test(wanted) && entry?.version !== wanted
      return isOther ? [`${workspace} asks for ${name} ${wanted}, not ${entry?.version ?? 'none'}`] : []
    }),
  )
}

interface Lockfile {
  readonly packages: Packages
}

type Packages = Readonly<
  Record<
    string,
    {
      readonly version?: string
      readonly resolved?: string
      readonly integrity?: string
      readonly link?: boolean
      readonly inBundle?: boolean
      readonly dependencies?: Readonly<Record<string, string>>
      readonly devDependencies?: Readonly<Record<string, string>>
    }
  >
>
