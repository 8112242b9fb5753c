import { useSyncExternalStore } from 'react'

/** Returns how many columns the window has room for; see `columns.ts`. */
export function useColumnCount(): 1 | 2 | 3 {
  return useSyncExternalStore(watchSize, columnCount)
}

function watchSize(onChange: () => void): () => void {
  window.addEventListener('resize', onChange)
  return () => window.removeEventListener('resize', onChange)
}

function columnCount(): 1 | 2 | 3 {
  if (window.matchMedia('(width >= 80rem)').matches) return 3
  return getComputedStyle(document.documentElement).getPropertyValue('--is-one-column') === '' ? 2 : 1
}
