import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** One place where a library writes a <style> element at run time, and its replacement. */
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
 * The content security policy allows styles from our own files only, `style-src 'self'`. Some libraries write
 * <style> elements at run time, which the policy blocks with an error on the console.
 *
 * This plugin removes those places from the bundle. It replaces the library behind Radix's scroll lock by our
 * `style-singleton.ts`, which uses constructable style sheets. If an update changes a place so that it is not
 * found, the build fails.
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
