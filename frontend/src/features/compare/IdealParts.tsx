import type { Lap } from '@lapwing/telemetry'
import { lapNames } from '#shared/laps/lap-names.ts'
import { Button } from '#shared/ui/Button.tsx'
import type { PartOfLap } from './ideal-state.ts'

export interface IdealPartsProps {
  readonly parts: readonly PartOfLap[]
  /** All laps of the session. */
  readonly laps: readonly Lap[]
  /** Length of the lap in metres; null if it is unknown. */
  readonly lengthM: number | null
  readonly onOpen: (part: PartOfLap) => void
}

/** Says what the ideal lap rests on. Each part opens the lap that it comes from, at that place. */
export function IdealParts({ parts, laps, lengthM, onOpen }: IdealPartsProps) {
  const { nameOf } = lapNames(laps)
  const from = new Set(parts.map(({ lap }) => lap)).size
  const metres = (pct: number) => Math.round(pct * (lengthM ?? 100))
  return (
    <div className="text-xs leading-snug">
      <p className="text-muted">
        Nobody drove it: it joins {parts.length} parts of {from} clean laps of one stint, where speed and line
        agree.
      </p>
      <ol
        aria-label="Parts of the ideal lap"
        className="mt-1.5 flex max-h-40 flex-wrap gap-1 overflow-y-auto"
      >
        {parts.map(part => (
          <li key={part.fromPct}>
            <Button className="h-7! px-2! tabular-nums pointer-coarse:h-11!" onClick={() => onOpen(part)}>
              {nameOf(part.lap)}
              <span className="font-normal text-muted">
                {metres(part.fromPct)}–{metres(part.toPct)} {lengthM === null ? '%' : 'm'}
              </span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}
