import type { ByteSource } from '../byte-source.ts'
import type { Variable } from '../columns.ts'
import { readSessionFacts } from '../session/read-session-facts.ts'
import { IbtError } from './ibt-error.ts'
import type { IbtFile } from './ibt-file.ts'
import { HEADERS_BYTES, VARIABLE_HEADER_BYTES } from './layout.ts'
import { MAX_ROWS, MAX_SESSION_BYTES } from './limits.ts'
import { readExactly } from './read-exactly.ts'
import { type IbtHeader, readHeader } from './read-header.ts'
import { readVariables } from './read-variables.ts'

/**
 * Reads the headers of an `.ibt` file of version 1 or 2 (`layout.ts` describes the bytes). Reads at most
 * `MAX_OPEN_BYTES` from `source`, and no samples.
 *
 * The number of rows comes from the size of the file, because the declared one is 0 or too small after a
 * crash. Rejects with an `IbtError`; session text never makes a file unreadable.
 */
export async function openIbt(source: ByteSource): Promise<IbtFile> {
  const headerBytes = new Uint8Array(Math.min(source.size, HEADERS_BYTES))
  await readExactly(source, 0, headerBytes)
  const header = readHeader(headerBytes, source.size)
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

/**
 * Returns the bytes of the session text; empty if the header has no valid offset. The declared length is
 * wrong in some files. So the text is read up to the next section; a NUL ends it sooner.
 */
async function readSessionText(source: ByteSource, header: IbtHeader): Promise<Uint8Array> {
  const { sessionInfoOffset: start } = header
  if (start < HEADERS_BYTES || start >= source.size) return new Uint8Array(0)
  const ends = [header.varHeaderOffset, header.bufOffset].filter(offset => offset >= start)
  const bytes = new Uint8Array(Math.min(MAX_SESSION_BYTES, Math.min(source.size, ...ends) - start))
  await readExactly(source, start, bytes)
  return bytes
}

/**
 * Returns the byte at which the samples end: the next section if it is a valid one, else the end of the file.
 */
function endOfRows(source: ByteSource, header: IbtHeader, sessionText: Uint8Array): number {
  const isText = sessionText[0] === 0x2d && sessionText[1] === 0x2d && sessionText[2] === 0x2d
  const sections = isText ? [header.varHeaderOffset, header.sessionInfoOffset] : [header.varHeaderOffset]
  return Math.min(source.size, ...sections.filter(offset => offset > header.bufOffset))
}

function byName(variables: readonly Variable[]): Map<string, Variable> {
  const names = new Map<string, Variable>()
  for (const variable of variables) if (!names.has(variable.name)) names.set(variable.name, variable)
  return names
}
