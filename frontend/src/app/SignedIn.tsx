import type { SessionState } from '@lapwing/identity-client/session-keeper'
import type { ReactNode } from 'react'
import { useSession } from './use-session.ts'

interface SignedInProps {
  /** Shown to visitors. */
  readonly fallback?: ReactNode
  readonly children: (state: Extract<SessionState, { status: 'signed-in' }>) => ReactNode
}

/** Shows its children to signed-in drivers, and `fallback` to visitors. */
export function SignedIn({ fallback = null, children }: SignedInProps) {
  const state = useSession()
  return state.status === 'signed-in' ? children(state) : fallback
}
