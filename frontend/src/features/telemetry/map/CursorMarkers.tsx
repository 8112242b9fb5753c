import type { RefObject } from 'react'

interface CursorMarkersProps {
  readonly lapMarker: RefObject<HTMLDivElement | null>
  readonly referenceMarker: RefObject<HTMLDivElement | null>
}

/** The marks of the cursor above a map or a scene: dark for the lap, purple for the reference (D-31). */
export function CursorMarkers({ lapMarker, referenceMarker }: CursorMarkersProps) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      <div ref={referenceMarker} hidden data-marker="reference" className="absolute top-0 left-0">
        <span className="block size-6 -translate-1/2 rounded-full border-[3px] border-reference outline-1 outline-card" />
      </div>
      <div ref={lapMarker} hidden data-marker="lap" className="group absolute top-0 left-0">
        <span className="grid size-4 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#131820]">
          <span className="hidden size-1.5 rounded-full bg-[#2dd4bf] group-data-[locked=true]:block" />
        </span>
      </div>
    </div>
  )
}
