import type { PreviewMeta } from '@lapwing/telemetry'
import './gauges/gauge-strip.css'
import { clsx } from 'clsx'
import { useEffect, useId, useRef } from 'react'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { copyWithUnit } from './copy-with-unit.ts'
import type { CursorStore } from './cursor-store.ts'
import { followCursor } from './follow-cursor.ts'
import { gaugeValues, RPM_FULL_SCALE, rpmMarks } from './gauges/gauge-values.ts'
import { createGaugeWriter } from './gauges/gauge-writer.ts'
import { LockAnnouncement } from './gauges/LockAnnouncement.tsx'
import { SteeringWheel } from './gauges/SteeringWheel.tsx'
import { clockOf, rowBeside } from './lap-clock.ts'
import { type LapSeries, rowInLap } from './lap-series.ts'

interface LapGaugesProps {
  /** "My Lap Telemetry" or "Reference Lap Telemetry". */
  readonly title: string
  /** The lap whose values are shown. */
  readonly series: LapSeries
  /** The lap that has the cursor, if that is another one. */
  readonly main?: LapSeries
  readonly cursor: CursorStore
  /** The car that drove both laps. */
  readonly meta: Pick<PreviewMeta, 'shift_rpm' | 'red_line_rpm'>
}

/**
 * A card with what the driver did at the cursor, or at the time of the clock; a strip of two lines if there is no right
 * column. Without a cursor it shows the start of the main lap.
 */
export function LapGauges({ title, series, main = series, cursor, meta }: LapGaugesProps) {
  const { role } = series
  const unit = useStore(speedUnit)
  const titleId = useId()
  const marksId = `${titleId}marks`
  const marks = rpmMarks(meta)
  const root = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const writeValues = createGaugeWriter(root.current!)
    const write = () => {
      const row = rowInLap(cursor.get().row, main.lap) ?? main.lap.row_start
      const there = rowBeside(clockOf(cursor), main, row, series)
      writeValues(gaugeValues(series.preview, Math.floor(there ?? series.lap.row_start), unit))
    }
    return followCursor(cursor, write)
  }, [series, main, cursor, unit])

  return (
    <section aria-labelledby={titleId} className="gauges rounded-card border border-line bg-card p-3">
      {/* A long name gets its own line. */}
      <header className="flex min-h-6 flex-wrap items-center justify-between gap-x-3">
        <h2 id={titleId} className="flex shrink-0 items-center gap-2 font-semibold text-muted text-xs">
          <span
            aria-hidden="true"
            className={clsx('size-2 rounded-full', role === 'lap' ? 'bg-lap' : 'bg-reference')}
          />
          <span>{title}</span>
        </h2>
        <span className="max-w-full truncate font-semibold text-muted text-xs" title={series.name}>
          {series.name}
        </span>
      </header>
      <div ref={root} onCopy={copyWithUnit}>
        <div className="mt-2 flex items-center justify-between gap-3">
          <div className="flex gap-1">
            <PedalMeter name="throttle" label="Throttle" letter="T" />
            <PedalMeter name="brake" label="Brake" letter="B" />
          </div>
          <Reading name="gear" unit="gear" className="w-7 text-[34px] font-bold" />
          <Reading name="speed" unit={unit} className="w-14 text-[26px] font-semibold" />
          <div className="flex flex-col items-center">
            <SteeringWheel role={role} />
            <span data-gauge="degrees" className="mt-1 text-muted text-xs tabular-nums" />
          </div>
        </div>
        <div>
          {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> themselves and allow no three bands. */}
          <div
            data-gauge="rpm"
            role="meter"
            aria-label="Engine speed"
            aria-valuemin={0}
            aria-valuemax={RPM_FULL_SCALE}
            aria-valuenow={0}
            aria-describedby={marks.length > 0 ? marksId : undefined}
            className="relative mt-2 h-2 grow overflow-hidden rounded-full bg-raised"
          >
            <div
              data-gauge="rpm-bar"
              className="h-full origin-left bg-accent data-[band=amber]:bg-warning data-[band=red]:bg-loss"
            />
            {marks.map(({ label, share }) => (
              <span
                key={label}
                className="absolute inset-y-0 -ml-px w-0.5 bg-text outline-1 outline-card"
                style={{ left: `${100 * share}%` }}
              />
            ))}
          </div>
          <p className="mt-1 flex justify-between text-muted text-xs tabular-nums">
            <span className="whitespace-nowrap">
              <span data-gauge="rpm-text" data-unit="rpm" /> rpm
            </span>
            {marks.length > 0 && (
              <span id={marksId} className="text-[11px]">
                {marks
                  .map(({ label, rpm }, i) => `${i === 0 ? label : label.toLowerCase()} ${rpm}`)
                  .join(', ')}
              </span>
            )}
            <span aria-hidden="true">{RPM_FULL_SCALE}</span>
          </p>
        </div>
      </div>
      {role === 'lap' && <LockAnnouncement series={series} cursor={cursor} />}
    </section>
  )
}

interface PedalMeterProps {
  readonly name: 'throttle' | 'brake'
  readonly label: string
  readonly letter: string
}

function PedalMeter({ name, label, letter }: PedalMeterProps) {
  return (
    <div className="flex w-8 flex-col items-center">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> themselves, and never upright. */}
      <div
        data-gauge={name}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
        className="h-20 w-4 overflow-hidden rounded-[5px] bg-raised"
      >
        <div
          data-gauge={`${name}-bar`}
          className={clsx(
            'h-full origin-bottom bg-muted',
            name === 'throttle' ? 'data-[pressed=true]:bg-throttle' : 'data-[pressed=true]:bg-brake',
          )}
        />
      </div>
      <p aria-hidden="true" className="mt-1 whitespace-nowrap text-muted text-xs tabular-nums">
        {letter} <span data-gauge={`${name}-text`} className="text-text" />
      </p>
    </div>
  )
}

interface ReadingProps {
  readonly name: 'gear' | 'speed'
  readonly unit: string
  readonly className: string
}

function Reading({ name, unit, className }: ReadingProps) {
  return (
    <p className="flex flex-col items-center">
      <span
        data-gauge={name}
        data-unit={name === 'speed' ? unit : undefined}
        className={clsx('text-center leading-none tabular-nums', className)}
      />
      <span className="mt-1.5 text-muted text-xs">{unit}</span>
    </p>
  )
}
