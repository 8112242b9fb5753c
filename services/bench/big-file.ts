import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openFileSource } from '@lapwing/files'
import { ibtBytes, ibtChunks } from '@lapwing/telemetry/testing'
import { wideVariables } from '@lapwing/telemetry/testing/wide-variables'
import type { BenchContext } from './bench.ts'

export const MIB = 1024 * 1024

/**
 * Path of a generated telemetry file of 299 variables and 1,152 bytes a row, of `mib` MiB or up to a
 * row less. It is written once and kept in `.lapwing/bench`; each call reads it, so that it lies in
 * the memory of the system when it is measured.
 */
export function bigFile({ root, log }: BenchContext, mib: number): string {
  const folder = join(root, '.lapwing', 'bench')
  const path = join(folder, `${mib}-mib.ibt`)
  if (!existsSync(path)) {
    log(`writing .lapwing/bench/${mib}-mib.ibt`)
    mkdirSync(folder, { recursive: true })
    const unfinished = `${path}.part`
    write(unfinished, mib * MIB)
    renameSync(unfinished, path)
  }
  readThrough(path)
  return path
}

function write(path: string, bytes: number): void {
  const spec = { variables: wideVariables(), sessionText: SESSION_TEXT }
  const empty = ibtBytes({ ...spec, rows: 0 })
  const rows = Math.floor((bytes - empty) / (ibtBytes({ ...spec, rows: 1 }) - empty))
  const descriptor = openSync(path, 'w')
  try {
    for (const chunk of ibtChunks({ ...spec, rows })) writeSync(descriptor, chunk)
  } finally {
    closeSync(descriptor)
  }
}

function readThrough(path: string): void {
  const source = openFileSource(path)
  const block = new Uint8Array(MIB)
  for (let offset = 0; offset < source.size; ) offset += source.read(offset, block)
  source.close()
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
