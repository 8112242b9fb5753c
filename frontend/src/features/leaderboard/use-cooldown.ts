import { useSyncExternalStore } from 'react'
import type { Cooldown } from './cooldown.ts'

/** Whole seconds until the button may be pressed again. */
export function useCooldown(cooldown: Cooldown): number {
  return useSyncExternalStore(cooldown.subscribe, cooldown.get)
}
