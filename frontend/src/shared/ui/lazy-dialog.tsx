import type { ComponentType } from 'react'
import { Dialog } from './Dialog.tsx'
import { LoadProblem } from './LoadProblem.tsx'
import { useLazyPart } from './use-lazy-part.ts'

interface LazyDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Creates a dialog that loads its code when it first opens. If that fails, one with `title` has a retry. */
export function lazyDialog<Props extends LazyDialogProps>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LazyDialog(props: Props) {
    const { part: Part, isFailed, isLoading, retry } = useLazyPart(load, props.open)
    if (Part) return <Part {...props} />
    if (!isFailed) return null
    return (
      <Dialog open={props.open} onOpenChange={props.onOpenChange} title={title} width="w-[420px]">
        <div className="px-5 pt-3 pb-5">
          <LoadProblem isBusy={isLoading} onRetry={retry} />
        </div>
      </Dialog>
    )
  }
}
