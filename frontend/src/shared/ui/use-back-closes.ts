import { useEffect, useEffectEvent } from 'react'
import { type BackStack, createBackStack } from './back-stack.ts'

let stack: BackStack | null = null

/** Lets the browser's Back close a layer while it is open. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    stack ??= createBackStack({
      history: window.history,
      onPop: callback => window.addEventListener('popstate', callback),
    })
    return stack.add(() => closeNow())
  }, [isOpen])
}
