import type { ComponentType } from 'react'
import { LoadProblem } from './LoadProblem.tsx'
import { useLazyPart } from './use-lazy-part.ts'

/** Creates a part that loads its code when it first renders. Until then it is empty; if loading fails, it has a retry. */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LatePart(props: Props) {
    const { part: Part, isFailed, isLoading, retry } = useLazyPart(load, true)
    if (Part) return <Part {...props} />
    return isFailed && <LoadProblem isBusy={isLoading} onRetry={retry} />
  }
}
