import { type IbtSpec, ibtBytes, ibtChunks } from '@lapwing/simulator/build-ibt'
import { wideVariables } from '@lapwing/simulator/testing/wide-variables'
import type { BenchContext } from './bench.ts'
import { generatedFile } from './generated-file.ts'

export const MIB = 1024 * 1024

/**
 * Returns the path of a generated telemetry file with 299 variables and 1,152 bytes per row. It has `mib` MiB
 * or up to a row less, with laps of 90 s around an ellipse.
 */
export function bigFile(context: BenchContext, mib: number): string {
  return generatedFile(context, `wide-with-sensors-${mib}-mib.ibt`, () => ibtChunks(specOf(mib * MIB)))
}

function specOf(bytes: number): IbtSpec {
  const spec = { variables: wideVariables(), sessionText: SESSION_TEXT }
  const empty = ibtBytes({ ...spec, rows: 0 })
  const rows = Math.floor((bytes - empty) / (ibtBytes({ ...spec, rows: 1 }) - empty))
  return { ...spec, rows }
}

const SESSION_TEXT = `---
WeekendInfo:
 TrackName: ellipse
 TrackID: 1
 TrackLength: 4.00 km
 TrackDisplayName: Ellipse
 TrackConfigName:
 TrackAirTemp: 25.00 C
 TrackSkies: Clear
SessionInfo:
 Sessions:
 - SessionNum: 0
   SessionType: Practice
DriverInfo:
 DriverCarIdx: 0
 Drivers:
 - CarIdx: 0
   UserName: Driver One
   UserID: 1
   CarPath: formula
   CarScreenName: Formula
...
`
