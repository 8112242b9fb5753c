import './toaster.css'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { darkMode } from '../preferences/dark-mode.ts'
import { useStore } from '../store/use-store.ts'

export interface ToasterProps {
  /** Called each time the toaster can show toasts. */
  readonly onReady: (show: typeof toast) => void
}

/** Toasts with the specification's settings: bottom-right, 4 s, at most 20. */
export function Toaster({ onReady }: ToasterProps) {
  const dark = useStore(darkMode)
  // Runs after the effect in which sonner starts to listen.
  useEffect(() => onReady(toast), [onReady])
  return (
    <Sonner
      position="bottom-right"
      duration={4000}
      visibleToasts={20}
      theme={dark ? 'dark' : 'light'}
      closeButton
      toastOptions={{ className: 'toast' }}
    />
  )
}
