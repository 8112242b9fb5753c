import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { onToasterReady, toaster } from '#shared/notify/toasts.ts'
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

function Toasts() {
  const Toaster = useStore(toaster)
  return Toaster && <Toaster onReady={onToasterReady} />
}
