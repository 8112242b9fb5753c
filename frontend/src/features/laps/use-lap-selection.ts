import type { Lap } from '@lapwing/telemetry'
import { useCallback, useMemo, useState } from 'react'
import { defaultLap, selectedLap, visibleLaps } from './lap-order.ts'

export interface LapSelection {
  readonly validOnly: boolean
  readonly setValidOnly: (validOnly: boolean) => void
  /** The laps that the list shows, in order. */
  readonly visible: readonly Lap[]
  /** One of the visible laps; undefined if there is none. */
  readonly selected: Lap | undefined
  /** The same function for the life of the session. */
  readonly select: (lap: Lap) => void
}

/**
 * Holds which lap of one session is selected. Shows partial laps from the start if there are no others.
 * Needs a React key that changes with the session.
 */
export function useLapSelection(laps: readonly Lap[]): LapSelection {
  const [validOnly, setValidOnly] = useState(() => laps.some(lap => lap.is_completed))
  const [rowStart, setRowStart] = useState(() => defaultLap(laps)?.row_start ?? null)
  /** Clears a selection that the filter hides, so that it does not return by surprise. */
  const changeValidOnly = (next: boolean) => {
    setRowStart(selectedLap(visibleLaps(laps, next), rowStart)?.row_start ?? null)
    setValidOnly(next)
  }
  const visible = useMemo(() => visibleLaps(laps, validOnly), [laps, validOnly])
  return {
    validOnly,
    setValidOnly: changeValidOnly,
    visible,
    selected: selectedLap(visible, rowStart),
    select: useCallback(lap => setRowStart(lap.row_start), []),
  }
}
