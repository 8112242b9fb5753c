/** Marks the driver's own row. */
export function YouBadge() {
  return <span className="shrink-0 text-[11px] font-semibold text-accent">YOU</span>
}
