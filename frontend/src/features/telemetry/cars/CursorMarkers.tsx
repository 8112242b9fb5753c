import type { ReactNode, RefObject } from 'react'
import { CAR_SHAPES } from './car-shapes.ts'

interface CursorMarkersProps {
  readonly lapMarker: RefObject<HTMLDivElement | null>
  readonly referenceMarker: RefObject<HTMLDivElement | null>
}

/**
 * The marks of the cursor above a map or a scene: dark for the lap, purple for the reference (D-31). They are cars
 * while the clock is on. `placeMarker` moves them.
 */
export function CursorMarkers({ lapMarker, referenceMarker }: CursorMarkersProps) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      <div ref={referenceMarker} hidden data-marker="reference" className="group absolute top-0 left-0">
        <span className="block size-6 -translate-1/2 rounded-full border-[3px] border-reference outline-1 outline-card group-data-[car=true]:hidden" />
        <Car>
          <path d={CAR_SHAPES.reference} className="fill-none stroke-[5] stroke-card" />
          <path d={CAR_SHAPES.reference} className="fill-none stroke-[2.5] stroke-reference" />
        </Car>
      </div>
      <div ref={lapMarker} hidden data-marker="lap" className="group absolute top-0 left-0">
        <span className="grid size-4 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#131820] group-data-[car=true]:hidden">
          <span className="hidden size-1.5 rounded-full bg-[#2dd4bf] group-data-[locked=true]:block" />
        </span>
        <Car>
          <path d={CAR_SHAPES.lap} className="fill-none stroke-4 stroke-white" />
          <path d={CAR_SHAPES.lap} className="fill-[#131820]" />
        </Car>
      </div>
    </div>
  )
}

function Car({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="-20 -20 40 40"
      aria-hidden="true"
      className="absolute -top-5 -left-5 hidden size-10 group-data-[car=true]:block"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}
