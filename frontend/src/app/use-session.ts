import type { SessionState } from '@lapwing/identity-client/session-keeper'
import { useStore } from '#shared/store/use-store.ts'
import { usePageDeps } from './page-deps.ts'

/** Returns whether a driver is signed in, and which. */
export function useSession(): SessionState {
  const { account } = usePageDeps()
  return useStore(account.session)
}
