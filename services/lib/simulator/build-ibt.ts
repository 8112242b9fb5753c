import type { ColumnValues, VariableType } from '@lapwing/telemetry'
import {
  HEADER,
  HEADERS_BYTES,
  SUB_HEADER,
  VARIABLE_HEADER,
  VARIABLE_HEADER_BYTES,
  VARIABLE_TYPES,
} from '@lapwing/telemetry/layout'

/** A variable to write. `offset` follows the variable before by default. */
export interface IbtVariableSpec {
  readonly name: string
  readonly type: VariableType
  /** Values a row; 1 by default. */
  readonly count?: number
  readonly unit?: string
  readonly description?: string
  readonly offset?: number
  /**
   * `rows * count` values, or a function of row and index within the row. A typed array of the column's own
   * type is copied bit for bit, NaN payloads included.
   */
  readonly values: ArrayLike<number> | ((row: number, index: number) => number)
}

export type IbtSection = 'variables' | 'session' | 'rows'

/** What to write. Everything except the variables and the number of rows has a sound default. */
export interface IbtSpec {
  readonly version?: number
  readonly tickRate?: number
  /** Start of the recording, to the second. */
  readonly startDate?: Date
  readonly startTimeS?: number
  readonly endTimeS?: number
  readonly lapCount?: number
  readonly rows: number
  readonly variables: readonly IbtVariableSpec[]
  /** A string is written as UTF-8, bytes as they are. */
  readonly sessionText?: string | Uint8Array
  /** Order of the sections in the file; real files have variables, session, rows. */
  readonly order?: readonly IbtSection[]
  /** Zero bytes between sections. */
  readonly gapBytes?: number
  /** Sets all bytes of row 0 to 0, as the simulator often does. */
  readonly junkRow0?: boolean
  /** Bytes of a row, if larger than its variables. */
  readonly bufLen?: number
  /** Bytes cut off the end of the file. */
  readonly cutBytes?: number
  /** Overrides of header fields, by their byte; see `layout.ts`. */
  readonly header?: Partial<Record<keyof typeof HEADER, number>>
  /** Overrides `recordCount` of the sub-header. */
  readonly declaredRows?: number
}

/** Writes a whole `.ibt` file. */
export function buildIbt(spec: IbtSpec): Uint8Array {
  const file = new Uint8Array(ibtBytes(spec))
  let at = 0
  for (const chunk of ibtChunks(spec)) {
    file.set(chunk, at)
    at += chunk.byteLength
  }
  return file
}

/** Size in bytes of the file that `spec` describes. */
export function ibtBytes(spec: IbtSpec): number {
  return Math.max(0, plan(spec).end - (spec.cutBytes ?? 0))
}

/** Yields the file in pieces of at most about 1 MiB, each valid until the next is requested. */
export function* ibtChunks(spec: IbtSpec): Generator<Uint8Array> {
  const layout = plan(spec)
  let left = ibtBytes(spec)
  for (const chunk of wholeChunks(spec, layout)) {
    if (left <= 0) return
    yield chunk.subarray(0, Math.min(left, chunk.byteLength))
    left -= chunk.byteLength
  }
}

interface Layout {
  readonly variables: readonly PlacedVariable[]
  readonly bufLen: number
  readonly session: Uint8Array
  readonly order: readonly IbtSection[]
  readonly starts: Readonly<Record<IbtSection, number>>
  readonly end: number
}

interface PlacedVariable extends IbtVariableSpec {
  readonly count: number
  readonly offset: number
}

function plan(spec: IbtSpec): Layout {
  let rowBytes = 0
  const variables = spec.variables.map(variable => {
    const count = variable.count ?? 1
    const offset = variable.offset ?? rowBytes
    rowBytes = Math.max(rowBytes, offset + count * typeOf(variable).bytes)
    return { ...variable, count, offset }
  })
  const bufLen = spec.bufLen ?? rowBytes
  const text = spec.sessionText ?? ''
  const session = typeof text === 'string' ? utf8(text) : text
  const order = spec.order ?? ['variables', 'session', 'rows']
  const lengths = {
    variables: variables.length * VARIABLE_HEADER_BYTES,
    session: session.byteLength,
    rows: spec.rows * bufLen,
  }
  const starts = { variables: 0, session: 0, rows: 0 }
  let end = HEADERS_BYTES
  for (const section of order) {
    starts[section] = end + (spec.gapBytes ?? 0)
    end = starts[section] + lengths[section]
  }
  return { variables, bufLen, session, order, starts, end }
}

function* wholeChunks(spec: IbtSpec, layout: Layout): Generator<Uint8Array> {
  yield headers(spec, layout)
  for (const section of layout.order) {
    yield new Uint8Array(spec.gapBytes ?? 0)
    if (section === 'variables') yield variableHeaders(layout)
    else if (section === 'session') yield layout.session
    else yield* rowChunks(spec, layout)
  }
}

function headers(spec: IbtSpec, { variables, bufLen, session, starts }: Layout): Uint8Array {
  const bytes = new Uint8Array(HEADERS_BYTES)
  const view = new DataView(bytes.buffer)
  const fields: Record<keyof typeof HEADER, number> = {
    ver: spec.version ?? 2,
    status: 1,
    tickRate: spec.tickRate ?? 60,
    sessionInfoUpdate: 0,
    sessionInfoLen: session.byteLength,
    sessionInfoOffset: starts.session,
    numVars: variables.length,
    varHeaderOffset: starts.variables,
    numBuf: 1,
    bufLen,
    bufOffset: starts.rows,
    ...spec.header,
  }
  for (const [name, at] of Object.entries(HEADER)) {
    view.setInt32(at, fields[name as keyof typeof HEADER], true)
  }
  const startDate = spec.startDate ?? new Date('2026-01-01T12:00:00Z')
  view.setBigInt64(SUB_HEADER.startDate, BigInt(Math.floor(startDate.getTime() / 1000)), true)
  view.setFloat64(SUB_HEADER.startTime, spec.startTimeS ?? 0, true)
  view.setFloat64(SUB_HEADER.endTime, spec.endTimeS ?? spec.rows / 60, true)
  view.setInt32(SUB_HEADER.lapCount, spec.lapCount ?? 0, true)
  view.setInt32(SUB_HEADER.recordCount, spec.declaredRows ?? spec.rows, true)
  return bytes
}

function variableHeaders({ variables }: Layout): Uint8Array {
  const bytes = new Uint8Array(variables.length * VARIABLE_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  variables.forEach((variable, i) => {
    const at = i * VARIABLE_HEADER_BYTES
    view.setInt32(at + VARIABLE_HEADER.type, VARIABLE_TYPES.indexOf(typeOf(variable)), true)
    view.setInt32(at + VARIABLE_HEADER.offset, variable.offset, true)
    view.setInt32(at + VARIABLE_HEADER.count, variable.count, true)
    bytes.set(utf8(variable.name).subarray(0, 31), at + VARIABLE_HEADER.name)
    bytes.set(utf8(variable.description ?? '').subarray(0, 63), at + VARIABLE_HEADER.description)
    bytes.set(utf8(variable.unit ?? '').subarray(0, 31), at + VARIABLE_HEADER.unit)
  })
  return bytes
}

const CHUNK_BYTES = 1024 * 1024

function* rowChunks(spec: IbtSpec, { variables, bufLen }: Layout): Generator<Uint8Array> {
  const chunkRows = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(1, bufLen)))
  const bytes = new Uint8Array(Math.min(chunkRows, spec.rows) * bufLen)
  const view = new DataView(bytes.buffer)
  for (let row = 0; row < spec.rows; row += chunkRows) {
    const rows = Math.min(chunkRows, spec.rows - row)
    for (const variable of variables) writeVariable(bytes, view, bufLen, variable, row, rows)
    if (row === 0 && spec.junkRow0) bytes.fill(0, 0, bufLen)
    yield bytes.subarray(0, rows * bufLen)
  }
}

function writeVariable(
  bytes: Uint8Array,
  view: DataView,
  bufLen: number,
  { type, count, offset, values }: PlacedVariable,
  row: number,
  rows: number,
): void {
  const size = typeOf({ type }).bytes
  const isRaw = ArrayBuffer.isView(values) && isColumnOf(type, values as ColumnValues)
  const raw = isRaw ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength) : null
  const set = SETTERS[type]
  for (let i = 0; i < rows; i++) {
    const from = (row + i) * count
    const to = i * bufLen + offset
    // By hand: a view and a call for each value would take half of the time.
    if (raw !== null) for (let k = 0; k < count * size; k++) bytes[to + k] = raw[from * size + k]!
    else if (size === 1) for (let k = 0; k < count; k++) bytes[to + k] = valueAt(values, row + i, k, from)
    else for (let k = 0; k < count; k++) set(view, to + k * size, valueAt(values, row + i, k, from))
  }
}

function valueAt(values: IbtVariableSpec['values'], row: number, k: number, from: number): number {
  return typeof values === 'function' ? values(row, k) : values[from + k]!
}

const SETTERS: Readonly<Record<VariableType, (view: DataView, at: number, value: number) => void>> = {
  char: (view, at, value) => view.setUint8(at, value),
  bool: (view, at, value) => view.setUint8(at, value),
  int: (view, at, value) => view.setInt32(at, value, true),
  bitfield: (view, at, value) => view.setUint32(at, value, true),
  float: (view, at, value) => view.setFloat32(at, value, true),
  double: (view, at, value) => view.setFloat64(at, value, true),
}

function isColumnOf(type: VariableType, values: ColumnValues): boolean {
  const kinds = {
    char: Uint8Array,
    bool: Uint8Array,
    int: Int32Array,
    bitfield: Uint32Array,
    float: Float32Array,
    double: Float64Array,
  }
  return values instanceof kinds[type]
}

function typeOf({ type }: { readonly type: VariableType }): (typeof VARIABLE_TYPES)[number] {
  return VARIABLE_TYPES.find(known => known.type === type)!
}

// `TextEncoder` is neither in ECMAScript nor in this library's types.
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
    bytes[length++] = more === 0 ? code : (0xff00 >> (more + 1)) | (code >> (6 * more))
    for (let i = more - 1; i >= 0; i--) bytes[length++] = 0x80 | ((code >> (6 * i)) & 0x3f)
  }
  return bytes.subarray(0, length)
}
