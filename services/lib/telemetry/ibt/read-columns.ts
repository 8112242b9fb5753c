import type { Column, Columns, ColumnValues, Variable, VariableType } from '../columns.ts'
import { IbtError } from './ibt-error.ts'
import type { IbtFile } from './ibt-file.ts'
import { readExactly } from './read-exactly.ts'

export interface ReadColumnsOptions {
  /** Called with the share of the samples read, 0..1, after each block. */
  readonly onProgress?: (share: number) => void
  /** Stops between two blocks and rejects with the signal's reason. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown }
}

/**
 * Reads variables of a file as columns, bit for bit: record 0 and NaN payloads are kept. Names the
 * file does not have are left out; of a name that stands twice the first variable is read.
 *
 * Memory: the columns, at most as large as the file, plus one block of rows that is read again and
 * again. Rejects with an `IbtError` where the source ends early or the columns find no room, and with
 * what the source throws.
 */
export async function readColumns(
  file: IbtFile,
  names: readonly string[] | ReadonlySet<string> | 'all',
  { onProgress, signal }: ReadColumnsOptions = {},
): Promise<Columns> {
  const columns = new Map<string, Column>()
  const lanes: Lane[] = []
  for (const name of names === 'all' ? file.variablesByName.keys() : names) {
    const variable = file.variablesByName.get(name)
    if (variable === undefined || columns.has(name)) continue
    const { type, count, unit } = variable
    const values = allocate(type, file.rows * count)
    columns.set(name, { name, type, count, unit, values })
    addLanes(lanes, variable, values)
  }
  const { bufLen, rows } = file
  let block = new Uint8Array(blockRows(SYNC_BLOCK_BYTES, file) * bufLen)
  for (let row = 0; row < rows && lanes.length > 0; ) {
    throwIfAborted(signal)
    const count = Math.min(rows - row, block.byteLength / bufLen)
    const target = count * bufLen === block.byteLength ? block : block.subarray(0, count * bufLen)
    const offset = file.bufOffset + row * bufLen
    const answer = file.source.read(offset, target)
    const bytes = typeof answer === 'number' ? answer : await answer
    if (bytes < target.byteLength) await readExactly(file.source, offset + bytes, target.subarray(bytes))
    scatter(lanes, block, bufLen, row, count)
    row += count
    onProgress?.(row / rows)
    // A source that answers later costs a turn of the event loop a block, so it gets larger blocks.
    if (typeof answer !== 'number' && row === count) {
      block = new Uint8Array(blockRows(ASYNC_BLOCK_BYTES, file) * bufLen)
    }
  }
  return { rows, byName: columns }
}

/** Small enough to stay in the second-level cache between reading and scattering. */
const SYNC_BLOCK_BYTES = 512 * 1024
/** 100 MB in 25 turns; two of these may be alive at once while the source copies. */
const ASYNC_BLOCK_BYTES = 4 * 1024 * 1024

/**
 * Rows that are scattered together. All columns pass over the same rows before the next rows are
 * touched, so that a row's cache lines are fetched once and not once a column.
 */
const SCATTER_ROWS = 128

function blockRows(bytes: number, { bufLen, rows }: IbtFile): number {
  return Math.min(rows, Math.max(1, Math.floor(bytes / bufLen)))
}

const COLUMN_TYPES: Readonly<Record<VariableType, new (length: number) => ColumnValues>> = {
  char: Uint8Array,
  bool: Uint8Array,
  int: Int32Array,
  bitfield: Uint32Array,
  float: Float32Array,
  double: Float64Array,
}

function allocate(type: VariableType, length: number): ColumnValues {
  try {
    return new COLUMN_TYPES[type](length)
  } catch (error) {
    if (error instanceof RangeError) throw new IbtError('ibt.too_large', `${length} values of type ${type}`)
    throw error
  }
}

/**
 * One value a row that is moved as bits: a byte, or four bytes. Values of eight bytes are two lanes
 * and arrays are a lane an element, so two loops serve all types, and no float passes through a
 * register that could quieten a NaN.
 */
interface Lane {
  /** Bytes from the start of a row. */
  readonly offset: number
  /** The column, where its lanes are bytes. */
  readonly bytes: Uint8Array | null
  /** The column as words, where its lanes are four bytes. */
  readonly words: Int32Array | null
  /** Index in the column of the first row's value, and from one row's to the next. */
  readonly first: number
  readonly step: number
}

function addLanes(lanes: Lane[], { offset, count }: Variable, values: ColumnValues): void {
  const bytes = values instanceof Uint8Array ? values : null
  const words = bytes === null ? new Int32Array(values.buffer) : null
  const laneBytes = bytes === null ? 4 : 1
  const step = (count * values.BYTES_PER_ELEMENT) / laneBytes
  for (let first = 0; first < step; first++) {
    lanes.push({ offset: offset + first * laneBytes, bytes, words, first, step })
  }
}

/** Moves `rows` rows at the start of `block` to the lanes, from row `row` on. */
function scatter(lanes: readonly Lane[], block: Uint8Array, bufLen: number, row: number, rows: number): void {
  const view = new DataView(block.buffer)
  for (let from = 0; from < rows; from += SCATTER_ROWS) {
    const count = Math.min(SCATTER_ROWS, rows - from)
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[i]!
      const at = from * bufLen + lane.offset
      const index = (row + from) * lane.step + lane.first
      const end = index + count * lane.step
      if (lane.words !== null) scatterWords(view, at, bufLen, lane.words, index, lane.step, end)
      else scatterBytes(block, at, bufLen, lane.bytes!, index, lane.step, end)
    }
  }
}

// One loop for all words: each further loop costs milliseconds to compile, as much as it could gain.
function scatterWords(
  view: DataView,
  at: number,
  bufLen: number,
  values: Int32Array,
  index: number,
  step: number,
  end: number,
): void {
  for (; index < end; index += step) {
    values[index] = view.getInt32(at, true)
    at += bufLen
  }
}

function scatterBytes(
  block: Uint8Array,
  at: number,
  bufLen: number,
  values: Uint8Array,
  index: number,
  step: number,
  end: number,
): void {
  for (; index < end; index += step) {
    values[index] = block[at]!
    at += bufLen
  }
}

function throwIfAborted(signal: ReadColumnsOptions['signal']): void {
  if (!signal?.aborted) return
  if (signal.reason !== undefined) throw signal.reason
  throw Object.assign(new Error('Reading was stopped.'), { name: 'AbortError' })
}
