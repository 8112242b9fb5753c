import { userIdOf } from '@lapwing/identity-client/session-keeper'
import { choiceOf, type FileToSend, isLapAlone } from '#features/save-lap/save-when-possible.ts'
import type { Session } from '#features/upload/upload-store.ts'
import { isTooLarge } from '#features/upload/validate-file.ts'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { useStore } from '#shared/store/use-store.ts'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { usePageDeps } from '../page-deps.ts'
import { useSession } from '../use-session.ts'

/** Loads with the first file that is sent, or that was opened without saving. */
const loadBestLap = async () => (await import('./BestLapCut.tsx')).BestLapCut

function useChoice({ id }: Session): FileToSend | null {
  const { fileToSend } = usePageDeps()
  return choiceOf(useStore(fileToSend), id, userIdOf(useSession()))
}

/** Returns whether nothing of a session's file is sent, because it was opened without saving. */
export function useIsWithheld(session: Session): boolean {
  return useChoice(session) === null && session.isUnsaved
}

/** The offer to send only the best lap of a file, or to save what was opened without saving. */
export function LateBestLap({ session }: { readonly session: Session }) {
  const { saveLap } = usePageDeps()
  const { phase } = useStore(saveLap)
  const choice = useChoice(session)
  const userId = userIdOf(useSession())
  const { file, isUnsaved } = session
  const isLarge = file !== null && isTooLarge(file)
  // A visitor who opens a session of their library has nothing to decide.
  const isOffered = isUnsaved && (isLarge || userId !== null)
  const { part: BestLapCut, ...late } = useLazyPart(loadBestLap, isOffered || phase.kind === 'sending')
  if (file === null || !session.preview.laps.some(isTimedLap)) return null
  if (!BestLapCut)
    return isOffered && late.isFailed && <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
  return (
    <BestLapCut
      session={{ ...session, file }}
      userId={userId}
      isLarge={isLarge}
      // After a reload the line above says that it was saved before.
      isWithheld={isOffered && choice === null && phase.kind === 'idle'}
      isLapChosen={isLapAlone(choice)}
    />
  )
}
