import type { Lap, Preview } from '@lapwing/telemetry'
import type { IncidentPart } from '@lapwing/telemetry/compare'
import { useMemo, useState } from 'react'
import type { ComparedLaps } from '#features/compare/compare-laps.ts'
import { createFetchTrackCorners } from '#features/compare/fetch-track-corners.ts'
import { useComparedLaps } from '#features/compare/use-compared-laps.ts'
import { useKnownCorners } from '#features/compare/use-known-corners.ts'
import type { LapComparison } from '#features/telemetry/lap-comparison.ts'
import { trackSeries } from '#features/telemetry/track-series.ts'
import { createApiFetch } from '#shared/api/api-fetch.ts'
import { newRequestId } from '#shared/api/request-id.ts'
import { useStore } from '#shared/store/use-store.ts'
import { usePageDeps } from '../page-deps.ts'

const fetchTrackCorners = createFetchTrackCorners({
  baseUrl: `${location.origin}/api`,
  fetch: createApiFetch({
    fetch: (input, init) => globalThis.fetch(input, { ...init, credentials: 'omit' }),
    newRequestId,
  }),
})

/** Returns the lap to show and its comparison for the views; null if `compared` is null. */
export function useComparison(preview: Preview, selected: Lap | undefined) {
  const { compare } = usePageDeps()
  const state = useStore(compare)
  const known = useKnownCorners(preview.meta, state.isOn, fetchTrackCorners)
  const shown = useComparedLaps(preview, selected, state, known)
  const { compared } = shown
  const comparison = useMemo(() => compared && toComparison(compared, preview), [compared, preview])
  const picked = state.source === 'external' ? (state.external?.lapId ?? null) : state.sessionRow
  return { ...shown, isOn: state.isOn, hasTurnedOn: useHasTurnedOn(state.isOn), picked, comparison }
}

/** Returns whether compare mode was turned on since this session is open. */
function useHasTurnedOn(isOn: boolean): boolean {
  const [before, setBefore] = useState(isOn)
  const [hasTurnedOn, setHasTurnedOn] = useState(false)
  if (isOn !== before) {
    setBefore(isOn)
    setHasTurnedOn(isOn)
  }
  return hasTurnedOn
}

/** Words beside the mark of an incident. */
const INCIDENT_LABELS: Readonly<Record<IncidentPart['kind'], string>> = {
  off_track: 'Off',
  contact: 'Contact',
  loss_of_control: 'Loss of control',
  unknown: 'Incident',
}

function toComparison({ reference, corners, difference }: ComparedLaps, preview: Preview): LapComparison {
  // As in the traces, a percentage if no length is known.
  const lengthM = preview.meta.track_length_m || reference.track.lengthM || 100
  return {
    reference: trackSeries(reference.name, reference.track, lengthM),
    lengthM,
    delta: difference,
    corners: corners.map(({ name, number, startPct, apexPct, endPct }) => ({
      name,
      label: number.replace('-', '–'),
      startM: startPct * lengthM,
      apexM: apexPct * lengthM,
      endM: endPct * lengthM,
    })),
    incidents: (difference?.stretches ?? []).flatMap(({ name, incident, lossMs }) =>
      incident === null
        ? []
        : {
            name,
            label: INCIDENT_LABELS[incident.kind],
            of: incident.of,
            startM: incident.fromPct * lengthM,
            endM: incident.toPct * lengthM,
            // The same milliseconds as in the table.
            lossS: lossMs / 1000,
          },
    ),
  }
}
