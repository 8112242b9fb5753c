import { IbtError } from './ibt-error.ts'
import { HEADER, HEADER_BYTES, HEADERS_BYTES, SUB_HEADER, VARIABLE_HEADER_BYTES } from './layout.ts'
import { MAX_ROW_BYTES, MAX_TICK_RATE_HZ, MAX_VARIABLES } from './limits.ts'

/** Contents of header and sub-header of an `.ibt` file, with every number within its limit. */
export interface IbtHeader {
  readonly version: 1 | 2
  readonly tickRate: number
  readonly sessionInfoOffset: number
  readonly numVars: number
  readonly varHeaderOffset: number
  readonly bufLen: number
  readonly bufOffset: number
  readonly startDate: Date | null
  readonly declaredRows: number
}

/**
 * Reads the first `HEADERS_BYTES` bytes of a file, or all of a shorter one. Throws an `IbtError` if they are
 * not those of a recorded file of `fileBytes` bytes.
 */
export function readHeader(bytes: Uint8Array, fileBytes: number): IbtHeader {
  if (fileBytes === 0) throw new IbtError('ibt.empty')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = bytes.length >= 4 ? view.getInt32(HEADER.ver, true) : 0
  if (version !== 1 && version !== 2) throw new IbtError('ibt.not_telemetry')
  if (bytes.length < HEADERS_BYTES) throw new IbtError('ibt.truncated', 'the file ends in its header')

  const int = (at: number): number => view.getInt32(at, true)
  const header: IbtHeader = {
    version,
    tickRate: int(HEADER.tickRate),
    sessionInfoOffset: int(HEADER.sessionInfoOffset),
    numVars: int(HEADER.numVars),
    varHeaderOffset: int(HEADER.varHeaderOffset),
    bufLen: int(HEADER.bufLen),
    bufOffset: int(HEADER.bufOffset),
    startDate: toDate(view.getBigInt64(SUB_HEADER.startDate, true)),
    declaredRows: int(SUB_HEADER.recordCount),
  }
  // A dump of the live memory has several row buffers, and its session text at the sub-header's offset.
  const numBuf = int(HEADER.numBuf)
  if ((numBuf > 1 && numBuf <= 4) || header.sessionInfoOffset === HEADER_BYTES) {
    throw new IbtError('ibt.memory_dump', `numBuf ${numBuf}`)
  }
  within('numBuf', numBuf, 1, 1)
  within('tickRate', header.tickRate, 1, MAX_TICK_RATE_HZ)
  within('numVars', header.numVars, 1, MAX_VARIABLES)
  within('bufLen', header.bufLen, 1, MAX_ROW_BYTES)
  within('varHeaderOffset', header.varHeaderOffset, HEADERS_BYTES, Number.POSITIVE_INFINITY)
  within('bufOffset', header.bufOffset, HEADERS_BYTES, Number.POSITIVE_INFINITY)
  const endOfVariables = header.varHeaderOffset + header.numVars * VARIABLE_HEADER_BYTES
  if (header.bufOffset > header.varHeaderOffset) {
    within('bufOffset', header.bufOffset, endOfVariables, Number.POSITIVE_INFINITY)
  }
  if (endOfVariables > fileBytes) throw new IbtError('ibt.truncated', 'the file ends in its variable headers')
  if (header.bufOffset + header.bufLen > fileBytes) throw new IbtError('ibt.truncated', 'no whole row')
  return header
}

function within(name: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw new IbtError('ibt.bad_header', `${name} is ${value}`)
}

/** Converts seconds since 1970 to a date; null if no recording can have that date. */
function toDate(seconds: bigint): Date | null {
  const year2000 = 946_684_800n
  const year2200 = 7_258_118_400n
  return seconds >= year2000 && seconds < year2200 ? new Date(Number(seconds) * 1000) : null
}
