import type { ReactNode } from 'react'
import type { SessionState } from '#shared/session/session-keeper.ts'
import { useSession } from './use-session.ts'

interface SignedInProps {
  /** For a visitor. */
  readonly fallback?: ReactNode
  readonly children: (state: Extract<SessionState, { status: 'signed-in' }>) => ReactNode
}

/** Shows what is for signed-in people, and something else to everybody else. */
export function SignedIn({ fallback = null, children }: SignedInProps) {
  const state = useSession()
  return state.status === 'signed-in' ? children(state) : fallback
}
