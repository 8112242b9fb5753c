import { type LapTrack, lapTrack, type PreviewSource } from '../compare/lap-track.ts'
import type { Lap } from '../laps/lap.ts'
import { fingerprintKeys } from './fingerprint-keys.ts'
import { inputKeys } from './input-keys.ts'
import { isEvenLap } from './is-even-lap.ts'
import { FINGERPRINT } from './layout.ts'

/** Identifies a lap, also after small changes to its file. */
export interface LapFingerprint {
  /**
   * At most 32 keys for an index, sixteen of them of its times. A copy shares some of them; another lap hardly
   * ever shares one.
   */
  readonly keys: string[]
  /** `FINGERPRINT.bytes` long, for `isSameLap`. */
  readonly descriptor: Uint8Array<ArrayBuffer>
}

/**
 * Returns the fingerprint of a complete lap of a preview; null if it is not complete or was driven at one
 * speed.
 */
export function lapFingerprint(preview: PreviewSource, lap: Lap): LapFingerprint | null {
  const track = lapTrack(preview, lap)
  return track === null ? null : trackFingerprint(track)
}

/** Returns the fingerprint of a complete lap, or null if it was driven at one speed. */
export function trackFingerprint(track: LapTrack): LapFingerprint | null {
  return isEvenLap(track) ? null : fingerprintOf(track)
}

/**
 * Returns the fingerprint of a lap over its distance, or null if its times are not usable.
 *
 * The lap is cut into 128 equal parts of its distance. The descriptor has the time at each part, as a share
 * of the lap time, and the means of throttle, brake and steering. Means over a part have little noise and do
 * not depend on the sampling rate. Shares of the lap time do not change if all times are stretched.
 */
export function fingerprintOf(track: LapTrack): LapFingerprint | null {
  const lapS = track.time.at(-1)!
  if (!(lapS > 0) || !Number.isFinite(lapS)) return null
  const descriptor = new Uint8Array(FINGERPRINT.bytes)
  const view = new DataView(descriptor.buffer)
  descriptor[0] = FINGERPRINT.version

  const shares = partMeans(track.time).map(timeS => timeS / lapS)
  for (let part = 0; part < FINGERPRINT.parts; part++) {
    const ahead = shares[part]! - (part + 0.5) / FINGERPRINT.parts
    view.setInt16(FINGERPRINT.timeAt + 2 * part, int16(ahead / FINGERPRINT.timeUnit), true)
  }
  for (const { name, flag, at, unit } of FINGERPRINT.inputs) {
    const values = track[name]
    if (values === undefined) continue
    const means = partMeans(values)
    if (!means.every(Number.isFinite)) continue
    descriptor[1]! |= flag
    for (let part = 0; part < FINGERPRINT.parts; part++) {
      view.setInt16(at + 2 * part, int16(means[part]! / unit), true)
    }
  }
  return { keys: [...fingerprintKeys(shares), ...inputKeys(descriptor)], descriptor }
}

/** Returns the mean of a series over each part. */
function partMeans(values: ArrayLike<number>): Float64Array {
  const { parts } = FINGERPRINT
  const means = new Float64Array(parts)
  const last = values.length - 1
  for (let part = 0; part < parts; part++) {
    const from = Math.round((part * last) / parts)
    const to = Math.round(((part + 1) * last) / parts)
    // Both ends count half, so that a steep part is centred on its own middle.
    let sum = 0.5 * (values[from]! + values[to]!)
    for (let i = from + 1; i < to; i++) sum += values[i]!
    means[part] = sum / (to - from)
  }
  return means
}

function int16(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)))
}
