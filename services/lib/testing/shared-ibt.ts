import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../../shared/ibt')

/** What a test says when it needs the recorded files and they are not beside the project. */
export const noSharedFiles = 'no shared files'

/**
 * For `test(name, { skip: sharedIbtMissing }, …)`: false where the recorded telemetry files lie
 * beside the project, else the reason the test is skipped.
 */
export const sharedIbtMissing: false | string = existsSync(folder) ? false : `skipped: ${noSharedFiles}`

/** Path of one recorded file, such as `real/langley-2-laps.ibt`. */
export function sharedIbt(name: string): string {
  return join(folder, name)
}

/** Every sound recorded file, as `real/langley-2-laps.ibt` and its bytes; none where there are none. */
export function sharedIbtFiles(): { readonly name: string; readonly bytes: Uint8Array }[] {
  if (sharedIbtMissing !== false) return []
  return ['laps', 'real'].flatMap(kind =>
    readdirSync(join(folder, kind)).map(file => {
      const name = `${kind}/${file}`
      return { name, bytes: readFileSync(sharedIbt(name)) }
    }),
  )
}
