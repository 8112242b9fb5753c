import type { Plugin } from 'vite'

/** Features of sonner's style sheet that Lapwing does not use. They are a third of it. */
const UNUSED =
  /rich-colors|dir=rtl|sonner-loading|sonner-spinner|data-invert|data-promise|data-cancel|x-position=(?:left|center)|y-position=top/

/** Removes the rules of those features from the style sheets of the bundle. Fails the build if there are none. */
export function unusedToastRules(): Plugin {
  return {
    name: 'unused-toast-rules',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        let removed = 0
        for (const asset of Object.values(bundle)) {
          if (asset.type !== 'asset' || !asset.fileName.endsWith('.css')) continue
          const source = asset.source.toString()
          if (!source.includes('data-sonner-toaster')) continue
          asset.source = withoutUnused(source)
          removed += source.length - asset.source.length
        }
        if (removed === 0) this.error('Nothing of sonner’s style sheet is unused any more.')
      },
    },
  }
}

/** Returns minified CSS without the selectors of `UNUSED`, and without rules that have no other. */
export function withoutUnused(css: string): string {
  return css.replace(/(?<=[{}]|^)([^{}@;]+)\{[^{}]*\}/g, (rule, selectors: string) => {
    if (!UNUSED.test(selectors)) return rule
    const used = selectors.split(',').filter(selector => !UNUSED.test(selector))
    return used.length === 0 ? '' : used.join(',') + rule.slice(selectors.length)
  })
}
