import { Buffer } from 'node:buffer'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { inFullBuild } from './in-full-build.ts'

/** The weights that the page uses. */
const weights = { min: 400, max: 700 }

/**
 * Removes the weights that the page does not use from the font of Latin text, a quarter of its bytes. Every
 * first visit loads this file; those of other alphabets load only where their letters occur.
 */
export function narrowFont(): Plugin {
  return {
    name: 'narrow-font',
    apply: inFullBuild,
    async generateBundle(_options, bundle) {
      const assets = Object.values(bundle).filter(file => file.type === 'asset')
      const font = assets.find(({ fileName }) => /inter-latin-wght-normal-[^/]+\.woff2$/.test(fileName))
      if (font === undefined) return this.error('the font of Latin text is not in the bundle')
      const source = await subsetFont(Buffer.from(font.source), '', {
        keepAllGlyphs: true,
        targetFormat: 'woff2',
        variationAxes: { wght: weights },
      })
      // Browsers cache files permanently, so other weights need another name.
      const fileName = font.fileName.replace(/\.woff2$/, `-${weights.min}-${weights.max}.woff2`)
      for (const sheet of assets.filter(file => file.fileName.endsWith('.css')))
        sheet.source = String(sheet.source).replaceAll(nameOf(font.fileName), nameOf(fileName))
      delete bundle[font.fileName]
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
