import { type DrawingTokens, readTokens } from '#shared/drawing/read-tokens.ts'

/** The colours of all charts, read once for each theme. */
export interface ChartLook {
  readonly tokens: DrawingTokens
  /** Of the channels of one chart, in their order; at least as many as a chart can have. */
  readonly channels: readonly string[]
}

export const FONT = '11px "Inter Variable", system-ui, sans-serif'

export function readLook(tokens: DrawingTokens = readTokens()): ChartLook {
  const style = getComputedStyle(document.documentElement)
  const channels = Array.from({ length: 8 }, (_, i) => style.getPropertyValue(`--channel-${i + 1}`).trim())
  return { tokens, channels }
}

/** Returns the dashes of a channel, if colours must not be the only difference; the first is solid. */
export function dashOf({ tokens }: ChartLook, order: number): number[] {
  return tokens.isColourBlind && order > 0 ? [2 + 2 * order, 3] : []
}
