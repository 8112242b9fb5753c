import { type ReactNode, useId } from 'react'
import { conditionWords, formatDay, kindWords } from '#shared/laps/lap-facts.ts'
import { temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import type { LapGroup } from './group-laps.ts'
import { momentOf } from './lap-moment.ts'

interface MyLapsGroupProps {
  readonly group: LapGroup
  readonly children: ReactNode
}

/** The laps of one session, under its track, car, day and conditions. */
export function MyLapsGroup({ group, children }: MyLapsGroupProps) {
  const id = useId()
  const unit = useStore(temperatureUnit)
  const first = group.laps[0]!
  const { track_label, car_label } = first.combination
  const facts = [formatDay(momentOf(first)), kindWords(first), conditionWords(first, unit)]
  return (
    <section aria-labelledby={id} className="mt-4 first-of-type:mt-3">
      <h3 id={id} className="font-semibold wrap-anywhere">
        {track_label} — {car_label}
      </h3>
      <p className="border-b border-line pb-1.5 text-xs text-muted">{facts.filter(Boolean).join(' · ')}</p>
      <ul aria-labelledby={id}>{children}</ul>
    </section>
  )
}
