import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the page into `frontend/dist` if its sources have changed since the last build. Returns whether it
 * built. The new page is built in another folder and renamed into place, so a running gateway never serves
 * half a page.
 */
export async function buildFrontend({ rootDir, dataDir, say, signal }: BuildOptions): Promise<boolean> {
  const dist = join(rootDir, 'frontend/dist')
  const stampFile = join(dataDir, 'frontend.stamp')
  const sources = `${hashSources(rootDir)} ${process.env.LAPWING_MAPS ?? ''}`.trim()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(sources, dist)) return false

  say('Building the page …')
  mkdirSync(dataDir, { recursive: true })
  const draft = join(dataDir, `page-${process.pid}`)
  const aside = join(dataDir, `page-${process.pid}-old`)
  try {
    await viteBuild(join(rootDir, 'frontend'), draft, signal)
    if (existsSync(dist)) renameSync(dist, aside)
    renameSync(draft, dist)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(aside, { recursive: true, force: true })
  }
  writeFileSync(stampFile, stampOf(sources, dist))
  return true
}

export interface BuildOptions {
  readonly rootDir: string
  readonly dataDir: string
  readonly say: (line: string) => void
  readonly signal?: AbortSignal
}

/** Patterns of all files that can change the built page, from the root of the repository. */
const SOURCE_PATTERNS = [
  'package-lock.json',
  'tsconfig.base.json',
  'frontend/*',
  'frontend/{src,public,build}/**/*',
  'frontend/client/{package.json,src/**/*}',
  'frontend/widget/*',
  'frontend/widget/{src,demo,build}/**/*',
  'services/lib/**/*',
]

/** Returns the text that identifies a built page. index.html contains the hashes of all other files. */
function stampOf(sources: string, dist: string): string {
  const index = join(dist, 'index.html')
  return existsSync(index) ? `${sources} ${sha256(readFileSync(index))}` : ''
}

/** Returns a hash over the names and contents of all source files of the page. */
export function hashSources(rootDir: string): string {
  const files = globSync(SOURCE_PATTERNS, { cwd: rootDir, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.includes('.test.'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(rootDir.length)}\0${sha256(readFileSync(file))}\n`)
  return hash.digest('hex')
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function viteBuild(cwd: string, outDir: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cli = join(cwd, '../node_modules/vite/bin/vite.js')
    const args = [cli, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
      ...(signal && { signal }),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve()
      else reject(new Error(`The page could not be built:\n${withoutStack(output)}`))
    })
  })
}

/** Returns Vite's message without the stack trace of Vite's own code. */
function withoutStack(output: string): string {
  const lines = output.trim().split('\n')
  return lines.filter(line => !/^ +at /.test(line)).join('\n')
}
