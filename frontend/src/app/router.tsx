import { createBrowserRouter } from 'react-router'
import { Broken } from './Broken.tsx'
import { MainScreen } from './main/MainScreen.tsx'

/**
 * Creates the routes of the page. The main screen's code comes with the first load, the others' on demand.
 */
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
          lazy: async () => ({ Component: (await import('./account/Reset.tsx')).Reset }),
        },
        {
          path: '/authenticate',
          lazy: async () => ({ Component: (await import('./account/Callback.tsx')).Callback }),
        },
        // The specification shows the main screen for any other path.
        { path: '*', Component: MainScreen },
      ],
    },
  ])
}
