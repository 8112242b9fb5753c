const NAMES = [
  'card',
  'raised',
  'line',
  'text',
  'muted',
  'accent',
  'lap',
  'reference',
  'gain',
  'loss',
  'throttle',
  'brake',
  'coast',
  'casing',
] as const

/** What canvases need of `styles/tokens.css`, as colours a canvas understands. */
export type DrawingTokens = Readonly<Record<(typeof NAMES)[number], string>> & {
  /** The colour-blind palette also tells pedal states apart by the style of the line. */
  readonly isColourBlind: boolean
}

export function readTokens(): DrawingTokens {
  const root = document.documentElement
  const style = getComputedStyle(root)
  const colours = Object.fromEntries(NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]))
  return { ...colours, isColourBlind: root.dataset.palette === 'colour-blind' } as DrawingTokens
}

/** Calls back after the theme or the palette changed; answers the function that ends it. */
export function watchTokens(onChange: (tokens: DrawingTokens) => void): () => void {
  const observer = new MutationObserver(() => onChange(readTokens()))
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] })
  return () => observer.disconnect()
}
