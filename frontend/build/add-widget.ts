import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { inFullBuild } from './in-full-build.ts'

/**
 * Builds the sign-in widget and its demo into `widget/` of the finished page, so that one folder holds all that
 * the gateway serves. The frame of the provider's own widget is beside it.
 */
export function addWidget(): Plugin {
  return {
    name: 'add-widget',
    apply: inFullBuild,
    writeBundle: {
      sequential: true,
      async handler({ dir }) {
        const options = { logLevel: 'warn', build: { emptyOutDir: true } } as const
        for (const [file, folder] of builds) {
          const configFile = join(import.meta.dirname, '../widget', file)
          await build({ ...options, configFile, build: { ...options.build, outDir: join(dir!, folder) } })
        }
      },
    },
  }
}

/** Configurations and folders, the outer folder first. */
const builds = [
  ['vite.config.ts', 'widget'],
  ['vite.demo.config.ts', 'widget/demo'],
  ['vite.frame.config.ts', 'clientside-services'],
] as const
