import type { LapDelta } from '#shared/laps/lap-delta.ts'
import { deltaSign, gapWords, type LapComparison } from '../lap-comparison.ts'

interface ComparisonBarProps {
  /** Name of the main lap. */
  readonly lap: string
  readonly comparison: LapComparison
}

const signColours = { gain: 'text-gain', loss: 'text-loss', even: 'text-text' } as const

/** Explains which line is which lap, and shows the gap at the line. */
export function ComparisonBar({ lap, comparison: { reference, delta } }: ComparisonBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-xs">
      <p className="flex min-w-0 items-center gap-1.5 font-medium">
        <span aria-hidden="true" className="h-0 w-4 border-lap border-t-2" />
        {lap}
      </p>
      <p className="flex min-w-0 items-center gap-1.5 font-medium">
        <span
          aria-hidden="true"
          className="h-0 w-4 shrink-0 border-reference border-t-2 in-data-[palette=colour-blind]:border-dashed"
        />
        <span className="truncate">{reference.name}</span>
        <span className="text-muted">reference</span>
      </p>
      <p className="tabular-nums @md:ml-auto">
        {delta ? (
          <Closing delta={delta} />
        ) : (
          <span className="text-muted">{lap} is a partial lap, so there is no delta.</span>
        )}
      </p>
    </div>
  )
}

function Closing({ delta }: { readonly delta: LapDelta }) {
  const { gap, missed } = gapWords(delta)
  return (
    <>
      <span className={`font-semibold ${signColours[deltaSign(delta.seconds.at(-1)!)]}`}>{gap}</span>
      {' at the line'}
      {missed && <span className="text-muted">{`; ${missed}`}</span>}
    </>
  )
}
