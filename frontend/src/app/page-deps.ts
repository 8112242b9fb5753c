import { createContext, useContext } from 'react'
import type { UploadStore } from '#features/upload/upload-store.ts'

/** What is made once when the page starts and lives as long as it. */
export interface PageDeps {
  readonly upload: UploadStore
}

export const PageDepsContext = createContext<PageDeps | null>(null)

export function usePageDeps(): PageDeps {
  const deps = useContext(PageDepsContext)
  if (!deps) throw new Error('usePageDeps needs a PageDepsContext above it')
  return deps
}
