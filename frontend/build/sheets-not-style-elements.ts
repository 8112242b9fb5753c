import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** One place where a library writes a <style> element at run time, and what stands there instead. */
interface Rewrite {
  /** End of the module's path. */
  readonly module: string
  readonly find: RegExp
  readonly replacement: string
}

const rewrites: readonly Rewrite[] = [
  {
    // The same rules come from sonner/dist/styles.css, which app.css imports.
    module: 'sonner/dist/index.mjs',
    find: /^__insertCSS\(".*"\);?$/m,
    replacement: '',
  },
]

/**
 * The content security policy allows styles from our own files only, `style-src 'self'`. Some
 * libraries write <style> elements while they run, which the policy blocks with an error on the
 * console. This plugin takes those places out of the bundle, and puts our `style-singleton.ts`, which
 * uses constructable style sheets, in the place of the library behind Radix's scroll lock. A place
 * that is no longer found, after an update, fails the build.
 */
export function sheetsNotStyleElements(): Plugin {
  const found = new Set<Rewrite>()
  const singleton = fileURLToPath(new URL('../src/shared/ui/style-singleton.ts', import.meta.url))
  return {
    name: 'sheets-not-style-elements',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /^react-style-singleton$/ }, handler: () => singleton },
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs$/ },
      handler(code, id) {
        const rewrite = rewrites.find(({ module }) => id.replaceAll('\\', '/').endsWith(module))
        if (!rewrite) return null
        if (!rewrite.find.test(code)) return null
        found.add(rewrite)
        return { code: code.replace(rewrite.find, rewrite.replacement), map: null }
      },
    },
    buildEnd(error) {
      if (error) return
      const missed = rewrites.filter(rewrite => !found.has(rewrite)).map(({ module }) => module)
      if (missed.length > 0)
        this.error(`No <style> element is written in ${missed.join(', ')} any more, or in another way.`)
    },
  }
}
