import type { ReactNode } from 'react'
import { Toaster } from 'sonner'
import { SWRConfig } from 'swr'
import { darkMode } from '#shared/preferences/dark-mode.ts'
import { useStore } from '#shared/store/use-store.ts'
import { TooltipProvider } from '#shared/ui/Tooltip.tsx'
import { type PageDeps, PageDepsContext } from './page-deps.ts'

interface ProvidersProps {
  readonly deps: PageDeps
  readonly children: ReactNode
}

/** The contexts that every page needs. */
export function Providers({ deps, children }: ProvidersProps) {
  return (
    <PageDepsContext value={deps}>
      {/* Telemetry never changes. For other data, the code that fetches it sets how long it is fresh. */}
      <SWRConfig value={{ revalidateOnFocus: false, shouldRetryOnError: false }}>
        <TooltipProvider delayDuration={400}>
          {children}
          <Toasts />
        </TooltipProvider>
      </SWRConfig>
    </PageDepsContext>
  )
}

/** Toasts with the specification's settings: bottom-right, 4 s, at most 20. */
function Toasts() {
  const dark = useStore(darkMode)
  return (
    <Toaster
      position="bottom-right"
      duration={4000}
      visibleToasts={20}
      theme={dark ? 'dark' : 'light'}
      closeButton
      toastOptions={{ className: 'toast' }}
    />
  )
}
