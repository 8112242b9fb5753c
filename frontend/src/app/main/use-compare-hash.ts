import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { usePageDeps } from '../page-deps.ts'
import { useSession } from '../use-session.ts'

/** Turns compare mode on for a signed-in driver if the address has `#compare=1`, and removes that. */
export function useCompareHash(): void {
  const { compare } = usePageDeps()
  const { status } = useSession()
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const isWanted = new URLSearchParams(hash.slice(1)).get('compare') === '1'
  useEffect(() => {
    if (!isWanted || status !== 'signed-in') return
    compare.turnOn()
    void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [isWanted, status, compare, navigate, pathname, search])
}
