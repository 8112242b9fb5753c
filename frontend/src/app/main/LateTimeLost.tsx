import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import type { TimeLostProps } from './TimeLost.tsx'

/** Loads with the first comparison, because the first visit does not need it. */
const loadTimeLost = async () => (await import('./TimeLost.tsx')).TimeLost

export function LateTimeLost(props: TimeLostProps) {
  const { part: TimeLost, ...late } = useLazyPart(loadTimeLost, true)
  if (TimeLost) return <TimeLost {...props} />
  return late.isFailed && <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
}
