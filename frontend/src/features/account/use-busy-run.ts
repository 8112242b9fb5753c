import { useState } from 'react'
import type { RunAction } from './section-props.ts'

/** Returns `run` of a section, and whether one of its actions is running. */
export function useBusyRun(run: RunAction): { readonly isBusy: boolean; readonly act: RunAction } {
  const [isBusy, setBusy] = useState(false)
  const act: RunAction = async action => {
    setBusy(true)
    await run(action)
    setBusy(false)
  }
  return { isBusy, act }
}
