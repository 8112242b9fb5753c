import type { Lap } from '@lapwing/telemetry'
import { useMemo } from 'react'
import { ChannelsCard } from '#features/channels/ChannelsCard.tsx'
import type { ChannelSource } from '#features/channels/channel-protocol.ts'
import type { LapViews, ShownLap } from '#features/channels/lap-views.ts'
import { zoomKeyAction } from '#features/telemetry/cursor-keys.ts'
import type { CursorStore } from '#features/telemetry/cursor-store.ts'
import { type DistanceViewStore, panDistance, zoomDistance } from '#features/telemetry/distance-view-store.ts'
import type { LapComparison } from '#features/telemetry/lap-comparison.ts'
import { lapDistance, nearestAtDistance } from '#features/telemetry/lap-distance.ts'
import { mainSeries, rowInLap } from '#features/telemetry/lap-series.ts'
import { rowAtSamePosition } from '#features/telemetry/same-position.ts'
import { useCursorKeys } from '#features/telemetry/use-cursor-keys.ts'
import type { Session } from '#features/upload/upload-store.ts'
import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { lapNames } from '#shared/laps/lap-names.ts'
import { channelsCard } from '#shared/preferences/channels.ts'
import { useRunTimeConfig } from '../use-run-time-config.ts'

interface AnyChannelProps {
  readonly session: Session
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly view: DistanceViewStore
  readonly comparison: LapComparison | null
  /** The reference, if it is a lap of this file. */
  readonly reference: Lap | null
  /** Whether the driver has just opened the card. */
  readonly isAsked: boolean
}

/** Any channel of the open file. It shares lap, reference, cursor and zoom with the other views. */
export function AnyChannel(props: AnyChannelProps) {
  const { session, lap, cursor, view, comparison, reference, isAsked } = props
  const { preview } = session
  const config = useRunTimeConfig()
  const onCursorKey = useCursorKeys(preview, lap, cursor, view, comparison)
  const source = useMemo(() => sourceOf(session, config), [session, config])
  const views = useMemo((): LapViews => {
    const shown = (of: Lap): ShownLap => ({
      name: lapNames(preview.laps).nameOf(of),
      rowStart: of.row_start,
      rowEnd: of.row_end,
      metres: lapDistance(preview, of).metres,
    })
    const own = shown(lap)
    const main = mainSeries(preview, lap)
    const { full } = lapDistance(preview, lap)
    const range = () => view.get() ?? full
    const zoom = (factor: number, aroundM: number) => {
      const before = view.get()
      view.set(zoomDistance(range(), full, factor, aroundM))
      return view.get() !== before
    }
    const zoomAtCursor = (factor: number) => {
      const row = rowInLap(cursor.get().row, lap)
      const { minM, maxM } = range()
      const metre = row === null ? Number.NaN : own.metres[row - lap.row_start]!
      zoom(factor, metre >= minM && metre <= maxM ? metre : (minM + maxM) / 2)
    }
    return {
      lap: own,
      reference: reference && shown(reference),
      cursor,
      range: view,
      full,
      zoom,
      pan(byM) {
        if (view.get()) view.set(panDistance(range(), full, byM))
      },
      reset: () => view.set(null),
      rowAt(metre) {
        const at = nearestAtDistance(own.metres, metre)
        return at < 0 ? null : lap.row_start + at
      },
      referenceIndexAt(row) {
        if (!reference) return null
        const there = rowAtSamePosition(main, row, { ...main, role: 'reference', lap: reference })
        return there === null ? null : there - reference.row_start
      },
      onKeyDown(event) {
        const action = zoomKeyAction(event)
        if (action === null) return onCursorKey(event)
        if (action === 'reset') view.set(null)
        else zoomAtCursor(action === 'in' ? ZOOM_STEP : 1 / ZOOM_STEP)
      },
    }
  }, [preview, lap, reference, cursor, view, onCursorKey])
  if (source === null) return null
  return (
    <ChannelsCard
      source={source}
      views={views}
      isAsked={isAsked}
      onClose={() => channelsCard.set('closed')}
    />
  )
}

const ZOOM_STEP = 1.5

/** Returns what can be read, or why nothing can; null until the settings are loaded. */
function sourceOf(session: Session, config: RunTimeConfig | null): ChannelSource | string | null {
  const { file, savedLap, preview } = session
  if (savedLap) return 'A saved lap has only the channels of its traces. Open its file to see the others.'
  if (file === null) return { kind: 'sample' }
  // Its series have fewer rows than the file.
  if (preview.fileLaps) return 'This file has so many rows that only the channels of its traces can be shown.'
  if (config === null) return null
  return config.preview === 'server'
    ? 'The server reads the files here, and returns only the channels of the traces.'
    : { kind: 'file', file }
}
