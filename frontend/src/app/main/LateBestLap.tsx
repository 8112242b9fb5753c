import type { Session } from '#features/upload/upload-store.ts'
import { isTooLarge } from '#features/upload/validate-file.ts'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { useStore } from '#shared/store/use-store.ts'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { usePageDeps } from '../page-deps.ts'

/** Loads with the first file that is sent, or that is too large for that. */
const loadBestLap = async () => (await import('./BestLapCut.tsx')).BestLapCut

/** Returns whether nothing of a session's file is sent, because it is too large and its best lap is not asked for. */
export function useIsWithheld({ id, file }: Session): boolean {
  const { lapToSend } = usePageDeps()
  return useStore(lapToSend)?.sessionId !== id && file !== null && isTooLarge(file)
}

/** The offer to send only the best lap of a file. */
export function LateBestLap({ session }: { readonly session: Session }) {
  const { saveLap, lapToSend } = usePageDeps()
  const { phase } = useStore(saveLap)
  const { file } = session
  const isLarge = file !== null && isTooLarge(file)
  const { part: BestLapCut, ...late } = useLazyPart(loadBestLap, isLarge || phase.kind === 'sending')
  const isChosen = useStore(lapToSend)?.sessionId === session.id
  if (file === null || !session.preview.laps.some(isTimedLap)) return null
  if (BestLapCut) return <BestLapCut session={{ ...session, file }} isLarge={isLarge} isChosen={isChosen} />
  return isLarge && late.isFailed && <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
}
