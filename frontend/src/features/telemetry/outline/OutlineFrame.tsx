import type { CSSProperties, ReactNode } from 'react'
import { outlineSize } from '#shared/preferences/outline-size.ts'
import { useStore } from '#shared/store/use-store.ts'

interface OutlineFrameProps {
  readonly id: string
  readonly className: string
  readonly children: ReactNode
}

/** Gives the chart the height that the driver chose. A drag of its edge renders nothing else of the card. */
export function OutlineFrame({ id, className, children }: OutlineFrameProps) {
  const size = useStore(outlineSize)
  return (
    <div id={id} style={{ '--outline-size': size } as CSSProperties} className={className}>
      {children}
    </div>
  )
}
