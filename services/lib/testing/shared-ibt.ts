import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../../shared/ibt')

/** Reason of a skipped test that needs the recorded files. */
export const noSharedFiles = 'no shared files'

/**
 * For `test(name, { skip: sharedIbtMissing }, …)`: false if the recorded telemetry files are beside the
 * project, else the reason to skip the test.
 */
export const sharedIbtMissing: false | string = existsSync(folder) ? false : `skipped: ${noSharedFiles}`

/** Returns the path of one recorded file, such as `real/langley-2-laps.ibt`. */
export function sharedIbt(name: string): string {
  return join(folder, name)
}

/**
 * Returns every sound recorded file as its name, such as `real/langley-2-laps.ibt`, and its bytes; empty if
 * they are missing.
 */
export function sharedIbtFiles(): { readonly name: string; readonly bytes: Uint8Array }[] {
  if (sharedIbtMissing !== false) return []
  return ['laps', 'real'].flatMap(kind =>
    readdirSync(join(folder, kind)).map(file => {
      const name = `${kind}/${file}`
      return { name, bytes: readFileSync(sharedIbt(name)) }
    }),
  )
}
