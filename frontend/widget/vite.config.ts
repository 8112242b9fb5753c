import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rollup } from 'vite'

/**
 * Builds the widget for other pages. `v1.js` is a classic script without names of its own on the page. The rest
 * are modules beside it, which it loads when they are needed.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), addScript()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: false,
    rollupOptions: {
      input: { app: 'src/app.tsx' },
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        // React changes more rarely than the widget, and counts apart (`build/check-size.ts`).
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// }],
        },
      },
    },
  },
})

/** Adds `v1.js`, which names the file of the widget. A build of its own, because modules have another form. */
function addScript(): Plugin {
  return {
    name: 'add-script',
    async generateBundle(_options, bundle) {
      const app = Object.values(bundle).find(file => file.type === 'chunk' && file.isEntry)!
      const [script] = (await build({
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'warn',
        define: { __APP__: JSON.stringify(`./${app.fileName}`) },
        build: {
          write: false,
          target: 'es2023',
          lib: { entry: join(import.meta.dirname, 'src/v1.ts'), formats: ['iife'], name: 'unused' },
        },
      })) as Rollup.RollupOutput[]
      this.emitFile({ type: 'asset', fileName: 'v1.js', source: script!.output[0].code })
    },
  }
}
