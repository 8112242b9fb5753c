/** Returns Tailwind classes of a delta to the driver's own lap. A faster lap shows the time to gain. */
export function deltaStyle(deltaMs: number | null): string {
  return deltaMs !== null && deltaMs < 0 ? 'text-gain' : 'text-muted'
}
