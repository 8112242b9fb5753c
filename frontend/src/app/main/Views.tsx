import { clsx } from 'clsx'
import type { CSSProperties, ReactNode } from 'react'
import { outlineFold } from '#shared/preferences/outline-fold.ts'
import { outlineSize } from '#shared/preferences/outline-size.ts'
import { useStore } from '#shared/store/use-store.ts'
import { columns } from './columns.ts'

/** Lays out the outline and the traces by the driver's choice. A folded outline is above the traces on any screen. */
export function Views({ children }: { readonly children: ReactNode }) {
  const size = useStore(outlineSize)
  const isFolded = useStore(outlineFold) === 'folded'
  return (
    <div
      style={{ '--outline-size': size } as CSSProperties}
      className={clsx(columns.views, isFolded || columns.sideBySide)}
    >
      {children}
    </div>
  )
}
