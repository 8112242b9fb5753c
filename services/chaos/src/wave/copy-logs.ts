import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../world/world.ts'

/** Copies the logs of a world to a folder that outlives it, and returns the folder. */
export function copyLogs({ rootDir, logDir }: World, seed: number): string {
  const folder = join(rootDir, '.lapwing/chaos', String(seed))
  mkdirSync(folder, { recursive: true })
  cpSync(logDir, folder, { recursive: true })
  return folder
}
