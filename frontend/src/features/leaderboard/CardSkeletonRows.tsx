import type { ReactNode } from 'react'

/** The shape of a place and four rows, so that nothing jumps when they come; a sentence may stand for the place. */
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
          <div key={width} className="flex h-7 items-center gap-3 pointer-coarse:h-11">
            <span className="h-2.5 w-4 rounded-sm bg-raised" />
            <span className={`h-2.5 rounded-sm bg-raised ${width}`} />
            <span className="ml-auto h-2.5 w-14 rounded-sm bg-raised" />
          </div>
        ))}
      </div>
    </div>
  )
}
