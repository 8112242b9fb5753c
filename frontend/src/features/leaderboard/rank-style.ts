/**
 * Returns Tailwind classes of a rank: the specification's purple, silver, bronze, and green up to 10. That green is not
 * the one of a gain.
 */
export function rankStyle(rank: number): string {
  return podium[rank] ?? (rank <= 10 ? 'text-(--rank-10)' : 'text-text')
}

const podium: Readonly<Record<number, string>> = {
  1: 'text-(--rank-1)',
  2: 'text-(--rank-2)',
  3: 'text-(--rank-3)',
}
