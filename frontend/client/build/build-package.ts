import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import packageJson from '../package.json' with { type: 'json' }
import { entries, externals, viteOptions } from './vite-options.ts'

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/**
 * Builds the package as other front ends install it: modules of JavaScript, their types without TypeScript sources,
 * and a `package.json`. Replaces the folder.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const options = viteOptions()
  await build({ ...options, build: { ...options.build, outDir: folder, emptyOutDir: false } })
  await writeTypes(join(folder, 'types'))
  await copyFile(join(root, 'README.md'), join(folder, 'README.md'))
  const { name, version, type, sideEffects } = packageJson
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify(
      {
        name,
        version,
        type,
        license: 'Apache-2.0',
        sideEffects,
        exports: Object.fromEntries(
          entries.map(entry => [
            entry === 'index' ? '.' : `./${entry}`,
            { types: `./types/client/src/${entry}.d.ts`, default: `./${entry}.js` },
          ]),
        ),
        dependencies: externals,
      },
      null,
      2,
    ),
  )
}

async function writeTypes(folder: string): Promise<void> {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    join(root, '..'),
  ]
  const args = [compiler, '-p', join(root, 'tsconfig.json'), ...options, '--outDir', folder]
  await promisify(execFile)(process.execPath, args)
  // The only types that another workspace has.
  await copyFile(require.resolve('@lapwing/contracts/identity'), join(folder, 'identity.d.ts'))
  const modules = join(folder, 'client/src')
  for (const name of await readdir(modules)) {
    const text = await readFile(join(modules, name), 'utf8')
    await writeFile(join(modules, name), text.replaceAll('@lapwing/contracts/identity', '../../identity.js'))
  }
}

if (import.meta.main) await buildPackage(join(root, 'dist'))
