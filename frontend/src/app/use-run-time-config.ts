import useSWR from 'swr'
import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { usePageDeps } from './page-deps.ts'

/** Returns the deployment's settings; null until they are loaded. */
export function useRunTimeConfig(): RunTimeConfig | null {
  const { config } = usePageDeps()
  return useSWR('run-time-config', () => config).data ?? null
}
