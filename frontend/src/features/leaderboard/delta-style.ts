/** Returns Tailwind classes of a delta to the driver's own lap. A faster lap shows the time to gain. */
export function deltaStyle(deltaMs: number | null): string {
  return deltaMs !== null && deltaMs < 0 ? 'text-gain' : 'text-muted'
}

/** Returns Tailwind classes of the driver's own delta to the leader. The same time, set later, is no loss. */
export function lossStyle(deltaMs: number): string {
  return deltaMs > 0 ? 'text-loss' : 'text-muted'
}
