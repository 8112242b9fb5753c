import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import type { IdealPartsProps } from './IdealParts.tsx'

/** Loads when the ideal lap is chosen, because the first visit does not need it. */
const loadIdealParts = async () => (await import('./IdealParts.tsx')).IdealParts

export function LateIdealParts(props: IdealPartsProps) {
  const { part: IdealParts, ...late } = useLazyPart(loadIdealParts, true)
  if (IdealParts) return <IdealParts {...props} />
  return late.isFailed && <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
}
