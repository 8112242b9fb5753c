import type { Lap } from '@lapwing/telemetry'
import type { CornerComparison } from '@lapwing/telemetry/compare'
import { useState } from 'react'
import type { LapAdvice } from '#features/compare/find-advice.ts'
import { NextCard } from '#features/compare/NextCard.tsx'
import { type AdviceOf, useAdvice } from '#features/compare/use-advice.ts'
import { type DistanceRange, rangeOfPart } from '#features/telemetry/distance-view-store.ts'
import { lapNames } from '#shared/laps/lap-names.ts'

export interface WhatNextProps {
  /** What the advice is about: the shown lap and the chosen reference. */
  readonly of: Omit<AdviceOf, 'known'>
  readonly known: AdviceOf['known']
  /** The lap that the views show in place of the reference; null if they show the reference. */
  readonly proofLap: Lap | null
  readonly prove: (lap: Lap | null) => void
  readonly stretches: readonly CornerComparison[]
  /** Length of the axis of the laps, in metres. */
  readonly lengthM: number
  /** Shows a part of the lap in all views; null shows all of it. */
  readonly onShow: (range: DistanceRange | null) => void
}

/** What to do next. The views show the proof of a sentence: the place, and the lap that did it as the reference. */
export function WhatNext({ of, known, proofLap, prove, stretches, lengthM, onShow }: WhatNextProps) {
  const advice = useAdvice({ ...of, known })
  const [chosen, setChosen] = useState<LapAdvice | null>(null)
  const { laps } = of.preview
  const { nameOf } = lapNames(laps)
  const isSession = of.source.kind === 'session'
  return (
    <NextCard
      advice={advice}
      laps={laps}
      reference={of.source.kind === 'session' ? nameOf(of.source.lap) : of.source.name}
      proven={advice?.includes(chosen!) ? chosen : null}
      shownInstead={proofLap && nameOf(proofLap)}
      onProve={each => {
        setChosen(each)
        prove(isSession ? null : (each?.did ?? null))
        onShow(each && rangeOf(each, stretches, lengthM))
      }}
    />
  )
}

/** Returns the range with all of an advice's loss and its corner, and some road before and after. */
function rangeOf(
  { corner, fromPct, toPct }: LapAdvice,
  stretches: readonly CornerComparison[],
  lengthM: number,
): DistanceRange {
  const { startPct, endPct } = corner ?? { startPct: fromPct, endPct: toPct }
  const name = corner?.name ?? stretches.find(({ kind }) => kind === 'straight')?.name ?? ''
  const part = { name, startM: startPct * lengthM, endM: endPct * lengthM }
  const whole = rangeOfPart(
    { ...part, startM: Math.min(startPct, fromPct) * lengthM, endM: Math.max(endPct, toPct) * lengthM },
    lengthM,
  )
  return { ...whole, chosen: part }
}
