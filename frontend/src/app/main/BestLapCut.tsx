import { useEffect, useState } from 'react'
import { BestLapLine } from '#features/save-lap/BestLapLine.tsx'
import { createBestLapStore } from '#features/save-lap/best-lap-store.ts'
import { cutBestLap } from '#features/save-lap/cut-best-lap.ts'
import type { Session } from '#features/upload/upload-store.ts'
import { after, nowMs } from '#shared/time/timers.ts'
import { usePageDeps } from '../page-deps.ts'

export interface BestLapCutProps {
  readonly session: Session & { readonly file: File }
  /** The signed-in driver; null without one. */
  readonly userId: string | null
  /** The file is too large to be sent. */
  readonly isLarge: boolean
  /** Nothing of the file is sent before the driver chooses. */
  readonly isWithheld: boolean
  /** The lap is what is sent. */
  readonly isLapChosen: boolean
}

/** Offers to send the best lap of the open file, or all of a file that was opened without saving. */
export function BestLapCut({ session, userId, isWithheld, ...props }: BestLapCutProps) {
  const { saveLap, fileToSend } = usePageDeps()
  const [store] = useState(() =>
    createBestLapStore({
      save: saveLap,
      cutLap: signal => cutBestLap(session.file, session.preview, signal),
      nowMs,
      after,
    }),
  )
  useEffect(() => store.start(), [store])
  const isSignedIn = userId !== null
  useEffect(() => {
    // The lap is judged before it is offered.
    if (isWithheld && isSignedIn) store.cut()
  }, [store, isWithheld, isSignedIn])
  const send = (file: File) =>
    userId !== null && fileToSend.set({ sessionId: session.id, of: session.file, userId, file })
  return (
    <BestLapLine
      {...props}
      store={store}
      fileBytes={session.sizeBytes}
      isWithheld={isWithheld}
      isSignedIn={isSignedIn}
      onSend={send}
      onSendAll={() => send(session.file)}
    />
  )
}
