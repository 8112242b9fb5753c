import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { buildFrontend } from '@lapwing/local/build-frontend'

/**
 * Builds the page if it has changed, and copies it, so that a later build does not remove it during the
 * tests.
 */
export async function copyPage(to: string): Promise<void> {
  await buildFrontend({ rootDir, dataDir: join(rootDir, '.lapwing'), say: () => {} })
  cpSync(join(rootDir, 'frontend/dist'), to, { recursive: true })
}

const rootDir = join(import.meta.dirname, '../../..')
