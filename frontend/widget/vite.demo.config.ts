import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Builds the page on which developers try the widget. It loads the widget as any other page does. */
export default defineConfig({
  root: join(import.meta.dirname, 'demo'),
  base: '/widget/demo/',
  build: { target: 'es2023', assetsInlineLimit: 0, sourcemap: false, modulePreload: false },
})
