import type { ComponentType } from 'react'
import type { toast as SonnerToast } from 'sonner'
import { createStore, type Readable } from '../store/store.ts'
import type { Notify } from './notify.ts'
import type { ToasterProps } from './Toaster.tsx'

type Show = (toast: typeof SonnerToast) => unknown

const loaded = createStore<ComponentType<ToasterProps> | null>(null)

/** The component that shows the toasts, once its code is loaded. `Providers` places it on the page. */
export const toaster: Readable<ComponentType<ToasterProps> | null> = loaded

/** Loads the code of the toasts. If that fails, the next message loads it again. */
export async function loadToaster(): Promise<void> {
  if (loaded.get() !== null) return
  try {
    const { Toaster } = await import('./Toaster.tsx')
    loaded.set(Toaster)
  } catch {
    // Offline, or the page is older than the latest release.
  }
}

const waiting: Show[] = []
let ready: typeof SonnerToast | null = null

/** Shows the messages that came before the toaster. */
export function onToasterReady(toast: typeof SonnerToast): void {
  ready = toast
  for (const show of waiting.splice(0)) show(toast)
}

function showSoon(show: Show): void {
  if (ready !== null) return void show(ready)
  waiting.push(show)
  void loadToaster()
}

/** Shows messages as toasts. */
export const toasts: Notify = {
  success: message => showSoon(toast => toast.success(message)),
  info: message => showSoon(toast => toast.info(message)),
  error: (message, { detail, onRetry, action } = {}) =>
    showSoon(toast =>
      toast.error(message, {
        ...(detail && { description: detail }),
        ...(action && { action: { label: action.label, onClick: action.onPress } }),
        ...(onRetry && { action: { label: 'Retry', onClick: onRetry } }),
      }),
    ),
}
