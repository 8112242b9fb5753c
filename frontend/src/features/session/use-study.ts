import type { Preview } from '@lapwing/telemetry'
import type { Corner } from '@lapwing/telemetry/compare'
import { useEffect, useState } from 'react'
import { readSentence } from '#shared/files/reader-client.ts'
import { type SessionFile, type SessionStudy, studySession } from './study-session.ts'

interface StudyState {
  /** Null until it is there. */
  readonly study: SessionStudy | null
  /** Why the laps could not be lined up; null if they could, or it is not known yet. */
  readonly problem: string | null
}

const FAILED = 'The laps could not be lined up. Close this and open it again.'

/** Studies the session while that is wanted, and remembers the result. A failure is tried again the next time. */
export function useStudy(
  preview: Preview,
  corners: readonly Corner[] | null,
  file: SessionFile,
  isWanted: boolean,
): StudyState {
  const [done, setDone] = useState<(StudyState & { readonly of: readonly unknown[] }) | null>(null)
  const isDone = done?.study && isSame(done.of, [preview, corners, file])
  useEffect(() => {
    if (!isWanted || isDone) return
    const stop = new AbortController()
    const settle = (state: StudyState) => {
      if (!stop.signal.aborted) setDone({ ...state, of: [preview, corners, file] })
    }
    studySession(preview, corners, file, stop.signal).then(
      study => settle({ study, problem: null }),
      (error: unknown) => settle({ study: null, problem: readSentence(error, FAILED) }),
    )
    return () => stop.abort()
  }, [preview, corners, file, isWanted, isDone])
  return done ?? { study: null, problem: null }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]) => a.every((each, i) => each === b[i])
