import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import packageJson from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/** The modules that other front ends import, by the name below the package. */
export const entries = [
  'index',
  'mail',
  'phone',
  'oauth',
  'passkeys',
  'passkey-browser',
  'totps',
  'wallets',
  'wallet-browser',
  'idp',
  'app-question',
  'organizations',
  'form-submit',
  'intermediate-cookie',
] as const

/** Packages that the page that uses the client installs itself. */
export const externals = Object.fromEntries(
  Object.entries(packageJson.dependencies).filter(([name]) => !name.startsWith('@lapwing/')),
)

/** Returns how the modules are built: small ones, which share what they have in common. */
export function viteOptions(): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    build: {
      target: 'es2023',
      modulePreload: false,
      rollupOptions: {
        input: Object.fromEntries(entries.map(name => [name, join(root, `src/${name}.ts`)])),
        preserveEntrySignatures: 'strict',
        external: Object.keys(externals),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
      },
    },
  }
}
