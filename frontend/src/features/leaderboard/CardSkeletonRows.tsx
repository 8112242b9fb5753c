import type { ReactNode } from 'react'
import { SkeletonRow } from './SkeletonRow.tsx'

/** The outline of a rank and four rows, of the same height. `children` replaces the rank. */
export function CardSkeletonRows({ children }: { readonly children?: ReactNode }) {
  return (
    <div>
      <div className="mt-0.5 mb-2 h-14">
        {children ?? (
          <div aria-hidden="true" className="flex justify-between py-1.5 motion-safe:animate-pulse">
            <span className="h-8 w-16 rounded-md bg-raised" />
            <span className="h-5 w-20 rounded-md bg-raised" />
          </div>
        )}
      </div>
      <div aria-hidden="true" className="motion-safe:animate-pulse">
        {['w-24', 'w-16', 'w-28', 'w-20'].map(width => (
          <SkeletonRow key={width} name={width} row="h-7 gap-3 pointer-coarse:h-11" />
        ))}
      </div>
    </div>
  )
}
