/**
 * `node focus-workspace.ts <workspace> <out>`: writes the manifests of one workspace and of what it needs in
 * production into the folder `out`, with a lockfile of exactly those packages. `npm ci` there installs nothing
 * else. (`npm ci --workspace` also installs what the development of a workspace needs.) Prints the folders of
 * the workspaces, and those that the manifest of the one names as `lapwing.folders`, one a line. Runs in the root of
 * the repository, without any package.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** An entry of `packages` in a lockfile. Its key is the folder of the package, from the root. */
interface Locked extends Manifest {
  /** A workspace: its folder is `resolved`. */
  readonly link?: boolean
  readonly resolved?: string
  /** Needed for development only, in the whole repository. */
  readonly dev?: boolean
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

export interface Focused {
  /** Folders of the workspaces, without the root. */
  readonly workspaces: readonly string[]
  readonly packages: Readonly<Record<string, Locked>>
}

/** Returns the entries of the lockfile that `workspace` needs in production. Throws if one is missing. */
export function focus({ packages }: Lock, workspace: string): Focused {
  const kept = new Map<string, Locked>()
  const workspaces = new Set<string>()

  function keep(folder: string): void {
    const entry = packages[folder]
    if (entry === undefined) throw new Error(`the lockfile has no ${folder}`)
    if (kept.has(folder)) return
    if (entry.link) {
      kept.set(folder, entry)
      workspaces.add(entry.resolved!)
      keep(entry.resolved!)
      return
    }
    kept.set(folder, productionOf(entry))
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = entry
    for (const name of Object.keys({ ...dependencies })) keepNamed(name, folder, true)
    for (const name of Object.keys({ ...optionalDependencies })) keepNamed(name, folder, false)
    for (const name of Object.keys({ ...peerDependencies })) {
      keepNamed(name, folder, peerDependenciesMeta[name]?.optional !== true)
    }
  }

  /** Finds a package as Node does: in the folder's own `node_modules`, then in those of its parents. */
  function keepNamed(name: string, from: string, isRequired: boolean): void {
    for (let folder = from; ; folder = parentOf(folder)) {
      const candidate = join(folder, 'node_modules', name)
      const found = packages[candidate]
      // A peer that only development installs is not there in production.
      if (found !== undefined && (isRequired || !found.dev)) {
        keep(candidate)
        return
      }
      if (folder === '') break
    }
    if (isRequired) throw new Error(`the lockfile has no ${name} for ${from}`)
  }

  const link = `node_modules/${workspace}`
  keep(link)
  return { workspaces: [...workspaces].sort(), packages: Object.fromEntries([...kept].sort()) }
}

/** Returns the folder in which Node looks next: without the last `node_modules/<name>`, or the last part. */
function parentOf(folder: string): string {
  const parent = dirname(folder)
  return parent === '.' ? '' : parent
}

function productionOf<Entry extends Manifest>(entry: Entry): Entry {
  const { devDependencies: _, ...rest } = entry as Entry & { devDependencies?: unknown }
  return rest as unknown as Entry
}

function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

if (import.meta.main) {
  const [workspace, out] = process.argv.slice(2)
  if (workspace === undefined || out === undefined) throw new Error('focus-workspace.ts <workspace> <out>')
  const lock = readJson('package-lock.json')
  const { workspaces, packages } = focus(lock, workspace)
  const { devDependencies: _, ...root } = readJson('package.json')
  const { '': lockedRoot } = lock.packages as Record<string, { devDependencies?: unknown }>
  const { devDependencies: __, ...rootEntry } = lockedRoot!
  write(join(out, 'package.json'), { ...root, workspaces })
  write(join(out, 'package-lock.json'), {
    ...lock,
    packages: { '': { ...rootEntry, workspaces }, ...packages },
  })
  for (const folder of workspaces) {
    write(join(out, folder, 'package.json'), productionOf(readJson(join(folder, 'package.json'))))
  }
  if (existsSync('.npmrc')) writeFileSync(join(out, '.npmrc'), readFileSync('.npmrc'))
  const { lapwing } = readJson(join(lock.packages[`node_modules/${workspace}`].resolved, 'package.json'))
  console.log([...workspaces, ...(lapwing?.folders ?? [])].join('\n'))
}
