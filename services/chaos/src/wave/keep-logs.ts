import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../world/world.ts'

/** Copies the logs of a world to where they outlive it, and answers the folder. */
export function keepLogs({ rootDir, logDir }: World, seed: number): string {
  const folder = join(rootDir, '.lapwing/chaos', String(seed))
  mkdirSync(folder, { recursive: true })
  cpSync(logDir, folder, { recursive: true })
  return folder
}
