import { bytesSource } from '../byte-source.ts'
import { cutLap, type LapCut } from '../cut/cut-lap.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { drivenAt } from '../laps/driven-at.ts'
import { previewSession } from '../preview/preview-session.ts'

/** Returns the bytes of a cut, as a browser assembles them from slices of the file. */
export function assemble(bytes: Uint8Array, { head, slices, sizeBytes }: LapCut): Uint8Array {
  const cut = new Uint8Array(sizeBytes)
  cut.set(head)
  let at = head.byteLength
  for (const [from, end] of slices) {
    cut.set(bytes.subarray(from, end), at)
    at += end - from
  }
  return cut
}

/** Returns the fastest complete lap of a file as a file of its own. Throws if it cannot be cut. */
export async function bestLapAsFile(bytes: Uint8Array): Promise<Uint8Array> {
  const file = await openIbt(bytesSource(bytes))
  const { laps, sessionTime } = await previewSession(bytesSource(bytes))
  const best = laps.filter(lap => lap.is_completed).reduce((a, b) => (b.time_s! < a.time_s! ? b : a))
  const cut = await cutLap(file, laps, best, drivenAt(laps, sessionTime, file.startDate)[laps.indexOf(best)]!)
  if (cut === null) throw new Error(`Lap ${best.lap} cannot be cut.`)
  return assemble(bytes, cut)
}
