import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { addWidget } from './build/add-widget.ts'
import { narrowFont } from './build/narrow-font.ts'
import { pageBeforeCode } from './build/page-before-code.ts'
import { precompress } from './build/precompress.ts'
import { sheetsNotStyleElements } from './build/sheets-not-style-elements.ts'
import { unusedToastRules } from './build/unused-toast-rules.ts'

/** The gateway's address for `make dev`; in production the gateway itself serves the built page. */
const gateway = process.env.LAPWING_GATEWAY ?? 'http://localhost:8080'

export default defineConfig({
  // `LAPWING_MAPS=false` builds a page without the 2D and 3D views.
  define: { __LAPWING_MAPS__: JSON.stringify(process.env.LAPWING_MAPS !== 'false') },
  plugins: [
    react(),
    tailwindcss(),
    sheetsNotStyleElements(),
    narrowFont(),
    pageBeforeCode(),
    unusedToastRules(),
    addWidget(),
    precompress(),
  ],
  // The gateway's content security policy forbids inline scripts, styles and data: workers.
  build: { target: 'es2023', assetsInlineLimit: 0, sourcemap: false },
  worker: { format: 'es' },
  server: {
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(['/api', '/sdk', '/v1', '/config.json', '/tiles'].map(path => [path, gateway])),
  },
})
