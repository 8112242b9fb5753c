import type { ByteSource } from '../byte-source.ts'
import type { Variable } from '../columns.ts'
import { readSessionFacts } from '../session/read-session-facts.ts'
import { IbtError } from './ibt-error.ts'
import type { IbtFile } from './ibt-file.ts'
import { HEADER, HEADER_BYTES, HEADERS_BYTES, SUB_HEADER, VARIABLE_HEADER_BYTES } from './layout.ts'
import { MAX_ROW_BYTES, MAX_ROWS, MAX_SESSION_BYTES, MAX_TICK_RATE_HZ, MAX_VARIABLES } from './limits.ts'
import { readExactly } from './read-exactly.ts'
import { readVariables } from './read-variables.ts'

/**
 * Reads what stands before the samples of an `.ibt` file, of version 1 or 2: `layout.ts` has the
 * bytes. Asks `source` for at most `MAX_OPEN_BYTES`; the samples are not touched.
 *
 * The number of rows comes from the size of the file, since the declared one is 0 or too small
 * after a crash. Rejects with an `IbtError`; session text never makes a file unreadable.
 */
export async function openIbt(source: ByteSource): Promise<IbtFile> {
  if (source.size === 0) throw new IbtError('ibt.empty')
  const header = await readHeader(source)
  const variableBytes = new Uint8Array(header.numVars * VARIABLE_HEADER_BYTES)
  await readExactly(source, header.varHeaderOffset, variableBytes)
  const variables = readVariables(variableBytes, header.bufLen)
  if (variables.length === 0) throw new IbtError('ibt.bad_header', 'no variable has a name')
  const sessionText = await readSessionText(source, header)

  const end = endOfRows(source, header, sessionText)
  const rows = Math.floor((end - header.bufOffset) / header.bufLen)
  if (rows < 1) throw new IbtError('ibt.truncated', 'no whole row')
  if (rows > MAX_ROWS) throw new IbtError('ibt.too_large', `${rows} rows`)
  const samples = rows * header.bufLen
  const tail = end - header.bufOffset - samples
  return {
    source,
    version: header.version,
    tickRate: header.tickRate,
    startDate: header.startDate,
    declaredRows: header.declaredRows,
    rows,
    partial: tail !== 0 || rows !== header.declaredRows,
    bufLen: header.bufLen,
    bufOffset: header.bufOffset,
    variables,
    variablesByName: byName(variables),
    session: readSessionFacts(sessionText),
    sizes: { file: source.size, samples, tail },
  }
}

interface Header {
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

/** Header and sub-header, every number of them within its limit. */
async function readHeader(source: ByteSource): Promise<Header> {
  const bytes = new Uint8Array(Math.min(source.size, HEADERS_BYTES))
  await readExactly(source, 0, bytes)
  const view = new DataView(bytes.buffer)
  const version = bytes.length >= 4 ? view.getInt32(HEADER.ver, true) : 0
  if (version !== 1 && version !== 2) throw new IbtError('ibt.not_telemetry')
  if (bytes.length < HEADERS_BYTES) throw new IbtError('ibt.truncated', 'the file ends in its header')

  const int = (at: number): number => view.getInt32(at, true)
  const header: Header = {
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
  // The live memory keeps several row buffers and has its session text where a file has its sub-header.
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
  if (endOfVariables > source.size)
    throw new IbtError('ibt.truncated', 'the file ends in its variable headers')
  if (header.bufOffset + header.bufLen > source.size) throw new IbtError('ibt.truncated', 'no whole row')
  return header
}

function within(name: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw new IbtError('ibt.bad_header', `${name} is ${value}`)
}

/** The date of a count of seconds since 1970; null where it is none that a recording can have. */
function toDate(seconds: bigint): Date | null {
  const year2000 = 946_684_800n
  const year2200 = 7_258_118_400n
  return seconds >= year2000 && seconds < year2200 ? new Date(Number(seconds) * 1000) : null
}

/**
 * The bytes of the session text; empty where the header points nowhere. The declared length is wrong
 * in some files, so the text is read up to the next section; a NUL ends it sooner.
 */
async function readSessionText(source: ByteSource, header: Header): Promise<Uint8Array> {
  const { sessionInfoOffset: start } = header
  if (start < HEADERS_BYTES || start >= source.size) return new Uint8Array(0)
  const ends = [header.varHeaderOffset, header.bufOffset].filter(offset => offset >= start)
  const bytes = new Uint8Array(Math.min(MAX_SESSION_BYTES, Math.min(source.size, ...ends) - start))
  await readExactly(source, start, bytes)
  return bytes
}

/** Where the samples stop: the next section that really is one, else the end of the file. */
function endOfRows(source: ByteSource, header: Header, sessionText: Uint8Array): number {
  const isText = sessionText[0] === 0x2d && sessionText[1] === 0x2d && sessionText[2] === 0x2d
  const sections = isText ? [header.varHeaderOffset, header.sessionInfoOffset] : [header.varHeaderOffset]
  return Math.min(source.size, ...sections.filter(offset => offset > header.bufOffset))
}

function byName(variables: readonly Variable[]): Map<string, Variable> {
  const names = new Map<string, Variable>()
  for (const variable of variables) if (!names.has(variable.name)) names.set(variable.name, variable)
  return names
}
