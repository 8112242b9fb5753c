import { useEffect, useState } from 'react'
import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { usePageDeps } from './page-deps.ts'

/** What the deployment says of itself; null until it has answered. */
export function useRunTimeConfig(): RunTimeConfig | null {
  const { config } = usePageDeps()
  const [known, setKnown] = useState<RunTimeConfig | null>(null)
  useEffect(() => {
    let isCurrent = true
    config.then(answer => isCurrent && setKnown(answer))
    return () => {
      isCurrent = false
    }
  }, [config])
  return known
}
