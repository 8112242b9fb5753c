import type { Lap } from '@lapwing/telemetry'
import { useMemo, useState } from 'react'
import { defaultLap, selectedLap, visibleLaps } from './lap-order.ts'

export interface LapSelection {
  readonly validOnly: boolean
  readonly setValidOnly: (validOnly: boolean) => void
  /** The laps in sight, in order. */
  readonly visible: readonly Lap[]
  /** One of them; undefined where none is in sight. */
  readonly selected: Lap | undefined
  readonly select: (lap: Lap) => void
}

/** Which lap of one session is looked at. Use with a key that changes with the session. */
export function useLapSelection(laps: readonly Lap[]): LapSelection {
  const [validOnly, setValidOnly] = useState(true)
  const [rowStart, setRowStart] = useState(() => defaultLap(laps)?.row_start ?? null)
  const visible = useMemo(() => visibleLaps(laps, validOnly), [laps, validOnly])
  return {
    validOnly,
    setValidOnly,
    visible,
    selected: selectedLap(visible, rowStart),
    select: lap => setRowStart(lap.row_start),
  }
}
