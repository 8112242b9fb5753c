import type { ComponentType } from 'react'
import { createBrowserRouter } from 'react-router'
import type { Account } from '#features/account/account.ts'
import { Broken } from './Broken.tsx'
import { MainScreen } from './main/MainScreen.tsx'
import { usePageDeps } from './page-deps.ts'

/** Creates the routes of the page. Only the main screen's code comes with the first load. */
export function createRouter() {
  return createBrowserRouter([
    {
      ErrorBoundary: Broken,
      HydrateFallback: () => null,
      children: [
        { path: '/terms', lazy: async () => ({ Component: (await import('./legal/Terms.tsx')).Terms }) },
        {
          path: '/privacy',
          lazy: async () => ({ Component: (await import('./legal/Privacy.tsx')).Privacy }),
        },
        {
          path: '/reset',
          lazy: async () => withAccount((await import('#features/account/ResetPage.tsx')).ResetPage),
        },
        {
          path: '/authenticate',
          lazy: async () => withAccount((await import('#features/account/CallbackPage.tsx')).CallbackPage),
        },
        // The specification shows the main screen for any other path.
        { path: '*', Component: MainScreen },
      ],
    },
  ])
}

const withAccount = (Page: ComponentType<{ readonly account: Account }>) => ({
  Component: () => <Page account={usePageDeps().account} />,
})
