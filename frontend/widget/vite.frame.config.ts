import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Builds the page that the provider's own widget puts into a frame to read phone numbers. */
export default defineConfig({
  root: join(import.meta.dirname, 'frame'),
  base: '/clientside-services/',
  build: { target: 'es2023', assetsInlineLimit: 0, sourcemap: false, modulePreload: false },
})
