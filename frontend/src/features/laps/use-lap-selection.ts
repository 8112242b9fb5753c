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
  /** A selection that is lost stays lost: the lap does not come back by surprise when it is in sight again. */
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
    select: lap => setRowStart(lap.row_start),
  }
}
