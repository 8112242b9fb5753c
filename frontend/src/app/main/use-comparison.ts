import type { Lap, Preview } from '@lapwing/telemetry'
import type { IncidentPart } from '@lapwing/telemetry/compare'
import { useMemo, useState } from 'react'
import type { ComparedLaps } from '#features/compare/compare-laps.ts'
import { createFetchTrackCorners } from '#features/compare/fetch-track-corners.ts'
import { referenceSource } from '#features/compare/reference-source.ts'
import { useComparedLaps } from '#features/compare/use-compared-laps.ts'
import { useIdealLap } from '#features/compare/use-ideal-lap.ts'
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

/**
 * Returns the lap to show and its comparison for the views; null if `compared` is null. `source` is the chosen
 * reference. `prove` shows a lap of the session in its place until lap or reference change, or with null, ends that.
 */
export function useComparison(preview: Preview, selected: Lap | undefined) {
  const { compare } = usePageDeps()
  const state = useStore(compare)
  const known = useKnownCorners(preview.meta, state.isOn, fetchTrackCorners)
  const ideal = useIdealLap(preview, state.isOn)
  const { isOn, external, sessionRow } = state
  // Only while it is chosen, so that its arrival changes no other reference.
  const idealTrack = sessionRow === 'ideal' && ideal.kind === 'found' ? ideal.track : null
  const source = useMemo(
    () =>
      referenceSource(
        preview.laps,
        selected,
        { isOn, source: state.source, external, sessionRow },
        idealTrack,
      ),
    [preview, selected, isOn, state.source, external, sessionRow, idealTrack],
  )
  const [proof, setProof] = useState<{ readonly lap: Lap; readonly of: typeof source } | null>(null)
  const proofLap = proof !== null && proof.of === source ? proof.lap : null
  const shownSource = useMemo(
    () => (proofLap === null ? source : ({ kind: 'session', lap: proofLap } as const)),
    [proofLap, source],
  )
  const shown = useComparedLaps(preview, selected, shownSource, known)
  const { compared } = shown
  const comparison = useMemo(() => compared && toComparison(compared, preview), [compared, preview])
  const picked = state.source === 'external' ? (external?.lapId ?? null) : sessionRow
  return {
    ...shown,
    isOn,
    hasTurnedOn: useHasTurnedOn(isOn),
    picked,
    comparison,
    known,
    ideal,
    source,
    proofLap,
    prove: (lap: Lap | null) => setProof(lap && { lap, of: source }),
  }
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
