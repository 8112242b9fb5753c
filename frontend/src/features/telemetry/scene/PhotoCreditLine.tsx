import { useState } from 'react'
import type { PhotoCredit } from './scene-status.ts'

/**
 * The credits of the visible pictures. Google's terms ask for its logo unchanged, 16 to 19 pixels high with clear
 * space around it, or else for its name in one line of at least 12 pixels.
 */
export function PhotoCreditLine({ credit: { isOfGoogle, logo, text } }: { readonly credit: PhotoCredit }) {
  const [broken, setBroken] = useState<string | null>(null)
  const shownLogo = isOfGoogle && logo !== broken ? logo : null
  return (
    <div className="pointer-events-none absolute bottom-0 left-0 max-w-[calc(100%-220px)] text-[11px] text-text leading-4">
      {shownLogo && (
        <div className="w-fit rounded-tr-lg bg-white px-2.5 pt-2.5 pb-[5px]">
          <img src={shownLogo} alt="Google Maps" className="h-[18px]" onError={() => setBroken(shownLogo)} />
        </div>
      )}
      <p className="w-fit rounded-tr-lg bg-card px-2 py-0.5">
        {isOfGoogle && !shownLogo && (
          <>
            <span translate="no" className="whitespace-nowrap text-xs">
              Google Maps
            </span>
            {text && ' · '}
          </>
        )}
        {text}
      </p>
    </div>
  )
}
