import { type Lap, OUTLINE_SIZE } from '@lapwing/telemetry'
import { type AlignedLap, bestMiniSectors, miniSectorLosses, usualLosses } from '@lapwing/telemetry/stints'
import { useMemo, useState } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { STEPS } from './align-session.ts'
import { costliest, lossLevel } from './mini-sector-levels.ts'

interface MiniSectorsViewProps {
  /** All whole laps. */
  readonly laps: readonly AlignedLap[]
  /** Those of them that make the bests. */
  readonly measured: readonly AlignedLap[]
  /** "5 clean laps". */
  readonly basis: string
  readonly outline: Int16Array
  readonly nameOf: (rowStart: number) => string
  readonly selected: Lap | undefined
}

const USUAL = 'usual'

/** Where one lap, or the usual one, loses time to the best of each of 25 even parts of the lap. */
export function MiniSectorsView(props: MiniSectorsViewProps) {
  const { laps, measured, basis, outline, nameOf, selected } = props
  const [chosen, setChosen] = useState(() => String(selected?.row_start ?? USUAL))
  const [active, setActive] = useState<number | null>(null)
  const lap = laps.find(({ rowStart }) => String(rowStart) === chosen)
  const losses = useMemo(() => {
    const bests = bestMiniSectors(measured)
    return lap ? miniSectorLosses(lap, bests) : usualLosses(measured, bests)
  }, [lap, measured])
  const worst = costliest(losses, 3)
  const totalS = losses.reduce((sum, lossS) => sum + lossS, 0)
  const who = lap ? nameOf(lap.rowStart) : 'The usual lap'
  return (
    <div className="study-minis">
      <div className="study-choice">
        <NativeSelect
          label="Lap of the mini-sectors"
          value={lap ? chosen : USUAL}
          onValueChange={setChosen}
          options={[
            { value: USUAL, label: `Median of ${basis}` },
            ...laps.map(({ rowStart }) => ({ value: String(rowStart), label: nameOf(rowStart) })),
          ]}
        />
      </div>
      <p aria-live="polite">
        {who}: <span className={totalS > 0 ? 'text-loss' : 'text-gain'}>{formatDelta(totalS)} s</span> on the
        best of each mini-sector.
        {worst.length > 0 && ` Most of it in ${listOf(worst.map(index => String(index + 1)))}.`}
      </p>
      <div className="study-heat">
        {outline.length > 0 && (
          <HeatOutline outline={outline} losses={losses} marked={active === null ? worst : [active]} />
        )}
        <ol
          aria-label={`Mini-sectors of ${who}`}
          className="study-strip"
          onPointerLeave={() => setActive(null)}
        >
          {Array.from(losses, (lossS, index) => (
            <li
              key={index}
              data-level={lossLevel(lossS)}
              data-worst={worst.includes(index) || undefined}
              onPointerEnter={() => setActive(index)}
            >
              <span className="study-strip-number">{index + 1}</span>
              <span>
                {lossLevel(lossS) === 0
                  ? lossS < -0.0005
                    ? formatDelta(lossS)
                    : 'best'
                  : formatDelta(lossS)}
              </span>
            </li>
          ))}
        </ol>
      </div>
      <p className="study-note">
        25 even parts of the lap, numbered from the line. The best of each is that of {basis}; together they
        are no driven lap. The wider a part of the outline, the more time it costs.
      </p>
    </div>
  )
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}

interface HeatOutlineProps {
  readonly outline: Int16Array
  readonly losses: Float64Array
  /** Mini-sectors with their number. */
  readonly marked: readonly number[]
}

/** Room for the widest line and the numbers, in units of the outline. */
const MARGIN = 90

/** The list beside it says the same. */
function HeatOutline({ outline, losses, marked }: HeatOutlineProps) {
  const size = OUTLINE_SIZE + 2 * MARGIN
  const points = losses.length * STEPS
  return (
    <svg aria-hidden="true" viewBox={`${-MARGIN} ${-MARGIN} ${size} ${size}`} className="study-outline">
      {Array.from(losses, (lossS, index) => (
        <path
          key={index}
          d={pathOf(outline, index * STEPS, (index + 1) * STEPS)}
          data-level={lossLevel(lossS)}
        />
      ))}
      <circle cx={outline[0]} cy={outline[1]} r="16" className="study-line" />
      {marked.map(index => {
        const middle = index * STEPS + STEPS / 2
        const [x, y] = aside(outline, middle, points)
        return (
          <g key={index}>
            <circle cx={x} cy={y} r="38" className="study-mark" />
            <text x={x} y={y} className="study-mark-number">
              {index + 1}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function pathOf(outline: Int16Array, from: number, to: number): string {
  let path = ''
  for (let i = from; i <= to; i++) path += `${i === from ? 'M' : 'L'}${outline[2 * i]} ${outline[2 * i + 1]}`
  return path
}

/** Distance of a number from its part of the outline. */
const ASIDE = 62

/** Returns a place beside a point of the outline, away from its middle. */
function aside(outline: Int16Array, at: number, points: number): readonly [x: number, y: number] {
  const [x, y] = [outline[2 * at]!, outline[2 * at + 1]!]
  const before = Math.max(0, at - 3)
  const after = Math.min(points, at + 3)
  const alongX = outline[2 * after]! - outline[2 * before]!
  const alongY = outline[2 * after + 1]! - outline[2 * before + 1]!
  const length = Math.hypot(alongX, alongY) || 1
  const [acrossX, acrossY] = [-alongY / length, alongX / length]
  const middle = OUTLINE_SIZE / 2
  const side = acrossX * (x - middle) + acrossY * (y - middle) < 0 ? -1 : 1
  return [x + side * ASIDE * acrossX, y + side * ASIDE * acrossY]
}
