import { useSyncExternalStore } from 'react'
import type { SessionState } from '#shared/session/session-keeper.ts'
import { usePageDeps } from './page-deps.ts'

/** Whether somebody is signed in, and who. */
export function useSession(): SessionState {
  const { account } = usePageDeps()
  return useSyncExternalStore(account.session.subscribe, account.session.get)
}
