import { type ComponentType, lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter, Route, Routes } from 'react-router'
import type { Account } from '#features/account/account.ts'
import { Broken } from './Broken.tsx'
import { MainScreen } from './main/MainScreen.tsx'
import { usePageDeps } from './page-deps.ts'

/**
 * The routes of the page. Only the main screen's code comes with the first load. This is the plain router: the
 * one that also loads data adds 17 kB (gzip).
 */
export function Pages() {
  return (
    <ErrorBoundary FallbackComponent={Broken}>
      <BrowserRouter>
        <Suspense fallback={null}>
          <Routes>
            <Route path="/terms" element={<Terms />} />
            <Route path="/privacy" element={<Privacy />} />
            <Route path="/reset" element={<OfAccount page={ResetPage} />} />
            <Route path="/authenticate" element={<OfAccount page={CallbackPage} />} />
            <Route path="/consent" element={<OfAccount page={ConsentPage} />} />
            {/* The specification shows the main screen for any other path. */}
            <Route path="*" element={<MainScreen />} />
          </Routes>
        </Suspense>
      </BrowserRouter>
    </ErrorBoundary>
  )
}

const Terms = lazy(async () => ({ default: (await import('./legal/Terms.tsx')).Terms }))
const Privacy = lazy(async () => ({ default: (await import('./legal/Privacy.tsx')).Privacy }))
const ResetPage = lazy(async () => ({ default: (await import('#features/account/ResetPage.tsx')).ResetPage }))
const CallbackPage = lazy(async () => ({
  default: (await import('#features/account/CallbackPage.tsx')).CallbackPage,
}))
const ConsentPage = lazy(async () => ({
  default: (await import('#features/account/ConsentPage.tsx')).ConsentPage,
}))

function OfAccount({ page: Page }: { readonly page: ComponentType<{ readonly account: Account }> }) {
  return <Page account={usePageDeps().account} />
}
