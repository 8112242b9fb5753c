import type { Mode } from './products.ts'

/** In the page at the element's place, or in a panel over the page. */
export type Place = 'inPlace' | 'panel'

/** Pixels. A form that is narrower, or a panel in a frame that is lower, cannot be used. */
const NARROWEST = 240
const LOWEST = 320

/**
 * Returns where a mode shows the widget. `embedded` falls back to a panel in a place that is too narrow, and
 * `floatingOrEmbedded` to the place in a window that is too low. The other modes have no fallback.
 */
export function placeOf(
  mode: Mode,
  room: { readonly elementWidth: number; readonly windowHeight: number },
): Place {
  switch (mode) {
    case 'floating':
      return 'panel'
    case 'floatingOrEmbedded':
      return room.windowHeight < LOWEST ? 'inPlace' : 'panel'
    case 'embedded':
      return room.elementWidth < NARROWEST ? 'panel' : 'inPlace'
    // Without FedCM, which only a provider's own prompt uses, this is the place in the page.
    case 'forceLegacyEmbedded':
    case 'embeddedOnly':
      return 'inPlace'
  }
}
