import type { Preview, PreviewSeries, SeriesName } from '@lapwing/telemetry'
import type { Corner, PreviewSource } from '@lapwing/telemetry/compare'
import type { LapLog } from '@lapwing/telemetry/stints'
import { createBriefReader } from '#shared/files/brief-reader.ts'
import type { AlignedSession, SessionToAlign } from './align-session.ts'

/** The file of a session, the sample, or null for a saved lap, which has no file here. */
export type SessionFile = Blob | 'sample' | null

export interface StudyTask extends SessionToAlign {
  readonly file: SessionFile
}

/** What the channels of the file say beside its preview. */
export interface FileLog {
  /** One for each lap. */
  readonly laps: readonly LapLog[]
  /** Eight hex digits that differ for different set-ups; null if the file has no set-up. */
  readonly setup: string | null
}

/** All laps of a session side by side. */
export interface SessionStudy {
  readonly aligned: AlignedSession
  /** Null if there is no file, or it cannot be read. */
  readonly log: FileLog | null
  /** Why the file cannot be read; null if it can, or there is none. */
  readonly problem: string | null
}

/**
 * Studies a session in a worker of its own, which reads the file for the channels that its preview lacks. Rejects with a
 * `WorkerUnavailableError` if the browser allows no worker, and with the signal's reason.
 */
export async function studySession(
  { laps, meta, ...preview }: Preview,
  corners: readonly Corner[] | null,
  file: SessionFile,
  signal: AbortSignal,
): Promise<SessionStudy> {
  const reader = createBriefReader<StudyTask, SessionStudy>(
    () => new Worker(new URL('./study.worker.ts', import.meta.url), { type: 'module' }),
  )
  try {
    const part = neededOf({ meta, ...preview })
    return await reader.run({ preview: part, laps, track: meta, corners, file }, { signal })
  } finally {
    reader.end()
  }
}

/** The copy for the worker has only what laps over their distance, corners and the outline need. */
const NEEDED = ['sessionTime', 'lapDistPct', 'lapDist', 'lat', 'lon', 'speed', 'steeringWheelAngle'] as const

export function neededOf(preview: PreviewSource): PreviewSource {
  const needed = new Set<SeriesName>(NEEDED)
  const { lat, lon, lapDist, lapDistPct, speed, sessionTime, steeringWheelAngle } = preview
  const left = ['alt', 'throttle', 'brake', 'gear', 'rpm'] as const satisfies Exclude<
    SeriesName,
    (typeof NEEDED)[number]
  >[]
  const none: Pick<PreviewSeries, (typeof left)[number]> = {
    alt: new Float32Array(0),
    throttle: new Float32Array(0),
    brake: new Float32Array(0),
    gear: new Int8Array(0),
    rpm: new Float32Array(0),
  }
  return {
    ...none,
    ...{ lat, lon, lapDist, lapDistPct, speed, sessionTime, steeringWheelAngle },
    meta: { track_length_m: preview.meta.track_length_m },
    debug: { missing: [...preview.debug.missing.filter(name => needed.has(name)), ...left] },
  }
}
