import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { BackupProblem } from './backup-problem.ts'
import type { Content } from './manifest.ts'

/** Milliseconds without a byte after which a stream fails. */
const STALL_MS = 120_000

/** A stream that passes bytes on and measures them. */
export interface Meter extends Transform {
  /** What has passed. Read it once, after the end. */
  content(): Content
}

/** Creates a meter that fails if no byte comes for two minutes. Without a source to blame, it waits. */
export function createMeter({ canWait = false }: { readonly canWait?: boolean } = {}): Meter {
  const hash = createHash('sha256')
  let bytes = 0
  const stall = () => meter.destroy(new BackupProblem(`No byte came for ${STALL_MS / 1_000} s.`))
  const timer = canWait ? undefined : setTimeout(stall, STALL_MS)
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      timer?.refresh()
      hash.update(chunk)
      bytes += chunk.byteLength
      done(null, chunk)
    },
    flush(done) {
      clearTimeout(timer)
      done()
    },
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
  return Object.assign(meter, { content: () => ({ bytes, sha256: hash.digest('hex') }) })
}
