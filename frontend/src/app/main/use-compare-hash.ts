import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { usePageDeps } from '../page-deps.ts'
import { useSession } from '../use-session.ts'

/** `#compare=1` in the address turns compare mode on for whoever is signed in, and is then removed. */
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
