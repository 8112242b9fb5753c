/** Tailwind classes of a difference to the driver's own lap: who is faster is what there is to gain. */
export function deltaStyle(deltaMs: number | null): string {
  return deltaMs !== null && deltaMs < 0 ? 'text-gain' : 'text-muted'
}
