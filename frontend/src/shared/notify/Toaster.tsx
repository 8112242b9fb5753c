import './toaster.css'
import { useEffect, useRef } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { darkMode } from '../preferences/dark-mode.ts'
import { useStore } from '../store/use-store.ts'
import { keepToastLane, letTabLeave } from './toast-lane.ts'

export interface ToasterProps {
  /** Called each time the toaster can show toasts. */
  readonly onReady: (show: typeof toast) => void
}

/** Toasts with the specification's settings: bottom-right, 4 s, at most 20. They have a lane of their own. */
export function Toaster({ onReady }: ToasterProps) {
  const dark = useStore(darkMode)
  // Runs after the effect in which sonner starts to listen.
  useEffect(() => onReady(toast), [onReady])
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const endings = [keepToastLane(root.current!), letTabLeave(root.current!)]
    return () => {
      for (const end of endings) end()
    }
  }, [])
  return (
    <>
      <div className="toast-band" />
      <div ref={root}>
        <Sonner
          position="bottom-right"
          duration={4000}
          visibleToasts={20}
          offset={12}
          mobileOffset={12}
          theme={dark ? 'dark' : 'light'}
          closeButton
          toastOptions={{ className: 'toast' }}
        />
      </div>
    </>
  )
}
