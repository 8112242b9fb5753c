import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

/** A script that k6 can run. */
export interface Bundle {
  readonly name: string
  readonly code: string
  /** Modules that k6 must have. */
  readonly imports: readonly string[]
}

const folder = join(import.meta.dirname, 'scripts')

/** Bundles the script of each scenario with its steps. Rejects if one needs a module that k6 does not have. */
export async function bundleScripts(): Promise<readonly Bundle[]> {
  const names = globSync('*.ts', { cwd: folder }).filter(file => !file.startsWith('k6-'))
  return Promise.all(names.sort().map(file => bundle(join(folder, file))))
}

async function bundle(input: string): Promise<Bundle> {
  const build = await rolldown({
    input,
    external: isOfK6,
    platform: 'neutral',
    // An import that cannot be resolved would otherwise only be a warning.
    onwarn: warning => {
      throw new Error(warning.message)
    },
  })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false })
    const [chunk] = output
    const name = basename(input, '.ts')
    const foreign = [...chunk.imports, ...chunk.dynamicImports].filter(name => !isOfK6(name))
    if (foreign.length > 0) throw new Error(`${name} needs ${foreign.join(', ')}, which k6 does not have`)
    return { name, code: chunk.code, imports: chunk.imports }
  } finally {
    await build.close()
  }
}

function isOfK6(name: string): boolean {
  return name === 'k6' || name.startsWith('k6/')
}
