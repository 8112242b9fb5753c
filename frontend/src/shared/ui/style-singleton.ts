import { useEffect } from 'react'

interface SheetProps {
  readonly styles: string
  readonly dynamic?: boolean
}

/**
 * Replaces the package `react-style-singleton`, which Radix's scroll lock uses to add its rules. The original
 * writes a <style> element, which `style-src 'self'` blocks. A constructable style sheet is allowed.
 * `build/sheets-not-style-elements.ts` does the replacement.
 */
export function styleSingleton(): (props: SheetProps) => null {
  const useStyle = styleHookSingleton()
  return function Sheet({ styles, dynamic }) {
    useStyle(styles, dynamic)
    return null
  }
}

export function styleHookSingleton(): (styles: string, dynamic?: boolean) => void {
  const { add, remove } = stylesheetSingleton()
  return (styles, dynamic) =>
    useEffect(() => {
      add(styles)
      return remove
      // As in the original, styles stay the same while mounted unless `dynamic` is set.
    }, [styles && dynamic])
}

/** Applies the first user's rules until the last user is gone. */
export function stylesheetSingleton(): { add: (styles: string) => void; remove: () => void } {
  let users = 0
  let sheet: CSSStyleSheet | null = null
  return {
    add(styles) {
      if (users++ > 0) return
      sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
      document.adoptedStyleSheets.push(sheet)
    },
    remove() {
      if (--users > 0 || !sheet) return
      const gone = sheet
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== gone)
      sheet = null
    },
  }
}
