import type { Line } from './bench.ts'

export interface GroupLines {
  readonly name: string
  readonly lines: readonly Line[]
}

/** Returns whether the goal of a line is reached; null if it has no goal or could not be measured. */
export function isReached({ ratio, atMost }: Line): boolean | null {
  return ratio === null || atMost === null ? null : ratio <= atMost
}

/** Formats lines as a table: group, name, ours, peer, ratio, goal, reached. */
export function formatLines(groups: readonly GroupLines[]): string {
  // Only the first line of a group has its name.
  const rows = groups.flatMap(({ name, lines }) =>
    lines.map((line, i) => [i === 0 ? name : '', ...row(line)]),
  )
  const table = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...table.map(cells => cells[column]!.length)))
  return table
    .map(cells =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const HEAD = ['group', 'name', 'ours', 'peer', 'ratio', 'goal', 'reached']

function row(line: Line): string[] {
  const reached = isReached(line)
  return [
    line.name,
    line.ours === null ? '' : `${rounded(line.ours)} ${line.unit}`,
    line.peer === null ? line.peerName : `${line.peerName} ${rounded(line.peer)}`,
    line.ratio === null ? '' : rounded(line.ratio),
    line.atMost === null ? '' : `<= ${rounded(line.atMost)}`,
    line.ratio === null ? notMeasured(line) : reached === null ? '' : reached ? 'yes' : 'no',
  ]
}

function notMeasured({ reason }: Line): string {
  return reason === undefined ? 'not measured' : `not measured: ${reason}`
}

/** Returns the number with three digits, or with all digits before the point. */
function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
