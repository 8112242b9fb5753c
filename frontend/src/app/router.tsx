import { createBrowserRouter } from 'react-router'
import { Broken } from './Broken.tsx'
import { MainScreen } from './main/MainScreen.tsx'

/** Every address of the page. The main screen comes with the first load, the others when they are asked for. */
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
        // The specification: any other path is the main screen.
        { path: '*', Component: MainScreen },
      ],
    },
  ])
}
