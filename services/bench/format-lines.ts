import type { Line } from './bench.ts'

/** Whether the goal of a line is reached; null where it has none, or where it could not be measured. */
export function isReached({ ratio, atMost }: Line): boolean | null {
  return ratio === null || atMost === null ? null : ratio <= atMost
}

/** Lines as a table: name, ours, peer, ratio, goal, reached. */
export function formatLines(lines: readonly Line[]): string {
  const table = [HEAD, ...lines.map(row)]
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

const HEAD = ['name', 'ours', 'peer', 'ratio', 'goal', 'reached']

function row(line: Line): string[] {
  const reached = isReached(line)
  return [
    line.name,
    `${rounded(line.ours)} ${line.unit}`,
    line.peer === null ? line.peerName : `${line.peerName} ${rounded(line.peer)}`,
    line.ratio === null ? '' : rounded(line.ratio),
    line.atMost === null ? '' : `<= ${rounded(line.atMost)}`,
    line.ratio === null ? 'not measured' : reached === null ? '' : reached ? 'yes' : 'no',
  ]
}

/** Three digits, and all of those before the point. */
function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
