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

/**
 * What every page and dialog needs. As parts of a few hundred bytes each, it would cost 2 kB more: each part is
 * compressed alone and has headers of its own.
 */
const everywhere = [
  /lucide-react\/dist\/esm\/(?!icons\/|lucide-react)|icons\/(?:loader-circle|check|shield-check|chevron-down)\.m?js$/,
  /src\/shared\/(?:storage\/(?:local-store|preference|safe-storage)|store\/(?:use-)?store|ui\/style-singleton)\.ts$/,
  /src\/(?:app\/page-deps|shared\/(?:format\/(?:count|speed)|api\/shapes|laps\/lap-names))\.ts$/,
  /laps\/(?:format-lap-time|lap-time-ms)\.ts$|client\/src\/errors\.ts$|drawing\/every-frame\.ts$/,
  /features\/telemetry\/(?:cursor-store|lap-(?:clock|series|time)|same-position)\.ts$/,
  /node_modules\/(?:react\/|react-dom\/(?:index|cjs\/react-dom\.production)\.js|tslib\/|aria-hidden\/|get-nonce\/)/,
  /node_modules\/(?:react-remove-scroll|react-remove-scroll-bar|use-callback-ref|use-sidecar)\//,
  /@radix-ui\/(?:primitive|react-(?:compose-refs|slot|primitive|context|use-[a-z-]+|presence|id|dismissable-layer|focus-(?:scope|guards)|portal))\//,
]

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
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'shared', test: id => everywhere.some(part => part.test(id)) }],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(['/api', '/sdk', '/v1', '/config.json', '/tiles'].map(path => [path, gateway])),
  },
})
