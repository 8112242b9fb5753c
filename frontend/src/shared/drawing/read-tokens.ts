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
  'warning',
  'throttle',
  'brake',
  'coast',
  'casing',
] as const

/** The tokens of `styles/tokens.css` that canvases need, as colours that a canvas accepts. */
export type DrawingTokens = Readonly<Record<(typeof NAMES)[number], string>> & {
  /** Whether line styles must distinguish pedal states, too. */
  readonly isColourBlind: boolean
}

export function readTokens(): DrawingTokens {
  const root = document.documentElement
  const style = getComputedStyle(root)
  const colours = Object.fromEntries(NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]))
  return { ...colours, isColourBlind: root.dataset.palette === 'colour-blind' } as DrawingTokens
}

/** Calls back after a change of theme or palette. Returns the function that ends this. */
export function watchTokens(onChange: (tokens: DrawingTokens) => void): () => void {
  const observer = new MutationObserver(() => onChange(readTokens()))
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] })
  return () => observer.disconnect()
}
