import { useEffect } from 'react'

interface SheetProps {
  readonly styles: string
  readonly dynamic?: boolean
}

/**
 * Stands in for the package `react-style-singleton`, by which Radix's scroll lock puts its rules on
 * the page. Theirs writes a <style> element, which `style-src 'self'` blocks; a constructable style
 * sheet is allowed. `build/sheets-not-style-elements.ts` puts this one in its place.
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
      // Like the original: styles are fixed while mounted unless they are said to be dynamic.
    }, [styles && dynamic])
}

/** The first user's rules hold until the last user is gone. */
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
