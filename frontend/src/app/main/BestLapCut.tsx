import { useEffect, useState } from 'react'
import { BestLapLine } from '#features/save-lap/BestLapLine.tsx'
import { createBestLapStore } from '#features/save-lap/best-lap-store.ts'
import { cutBestLap } from '#features/save-lap/cut-best-lap.ts'
import type { Session } from '#features/upload/upload-store.ts'
import { after, nowMs } from '#shared/time/timers.ts'
import { usePageDeps } from '../page-deps.ts'
import { useSession } from '../use-session.ts'

export interface BestLapCutProps {
  readonly session: Session & { readonly file: File }
  /** The file is too large to be sent. */
  readonly isLarge: boolean
  /** The lap is what is sent. */
  readonly isChosen: boolean
}

/** Offers to send the best lap of the open file in place of the whole file. */
export function BestLapCut({ session, isLarge, isChosen }: BestLapCutProps) {
  const { saveLap, lapToSend } = usePageDeps()
  const isSignedIn = useSession().status === 'signed-in'
  const [store] = useState(() =>
    createBestLapStore({
      save: saveLap,
      cutLap: signal => cutBestLap(session.file, session.preview, signal),
      nowMs,
      after,
    }),
  )
  useEffect(() => store.start(), [store])
  useEffect(() => {
    // The lap is judged before it is offered.
    if (isLarge && isSignedIn) store.cut()
  }, [store, isLarge, isSignedIn])
  return (
    <BestLapLine
      store={store}
      fileBytes={session.sizeBytes}
      isLarge={isLarge}
      isChosen={isChosen}
      isSignedIn={isSignedIn}
      onSend={lap => lapToSend.set({ sessionId: session.id, lap, of: session.file })}
    />
  )
}
