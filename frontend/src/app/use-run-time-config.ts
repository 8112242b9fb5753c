import useSWR from 'swr'
import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { usePageDeps } from './page-deps.ts'

/** What the deployment says of itself; null until it has answered. */
export function useRunTimeConfig(): RunTimeConfig | null {
  const { config } = usePageDeps()
  return useSWR('run-time-config', () => config).data ?? null
}
