import type { Column, Columns, ColumnValues, Variable, VariableType } from '../columns.ts'
import { IbtError } from './ibt-error.ts'
import type { IbtFile } from './ibt-file.ts'
import { MAX_COLUMN_BYTES } from './limits.ts'
import { readExactly } from './read-exactly.ts'

export interface ReadColumnsOptions {
  /** Called with the share of the samples read, 0..1, after each block. */
  readonly onProgress?: (share: number) => void
  /** Stops between two blocks and rejects with the signal's reason. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown }
}

/**
 * Reads variables of a file as columns, bit for bit: row 0 and NaN payloads stay. Skips names that the file
 * does not have. If a name occurs twice, reads the first variable.
 *
 * Memory: the columns, at most as large as the file, plus one reused block of rows. Rejects with an
 * `IbtError` if the source ends early or memory is too small, and with any error of the source.
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
    // An asynchronous source costs a turn of the event loop for each block, so it gets larger blocks.
    if (typeof answer !== 'number' && row === count) {
      block = new Uint8Array(blockRows(ASYNC_BLOCK_BYTES, file) * bufLen)
    }
  }
  return { rows, byName: columns }
}

/**
 * Small enough to stay in the second-level cache while it is copied to all columns in turn. So the cache
 * lines of a row are fetched once, not once a column.
 */
const SYNC_BLOCK_BYTES = 512 * 1024
/** 100 MB in 25 turns; two of these may exist at the same time while the source copies. */
const ASYNC_BLOCK_BYTES = 4 * 1024 * 1024

function blockRows(bytes: number, { bufLen, rows }: IbtFile): number {
  return Math.min(rows, Math.max(1, Math.floor(bytes / bufLen)))
}

interface ColumnType {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): ColumnValues
}

const COLUMN_TYPES: Readonly<Record<VariableType, ColumnType>> = {
  char: Uint8Array,
  bool: Uint8Array,
  int: Int32Array,
  bitfield: Uint32Array,
  float: Float32Array,
  double: Float64Array,
}

function allocate(type: VariableType, length: number): ColumnValues {
  const Values = COLUMN_TYPES[type]
  try {
    if (length * Values.BYTES_PER_ELEMENT <= MAX_COLUMN_BYTES) return new Values(length)
  } catch (error) {
    // The allocation failed; report it as too large.
    if (!(error instanceof RangeError)) throw error
  }
  throw new IbtError('ibt.too_large', `${length} values of type ${type}`)
}

/**
 * One value a row that is moved as bits: a byte, or four bytes. A value of eight bytes is two lanes and an
 * array is one lane for each element. So two loops serve all types, and no float passes through a register
 * that could quieten a NaN.
 */
interface Lane {
  /** Bytes from the start of a row. */
  readonly offset: number
  /** The column, as bytes or as words of four. */
  readonly target: Uint8Array | Int32Array
  /** Index in the column of the first row's value, and the distance to the next row's. */
  readonly first: number
  readonly step: number
  readonly move: typeof moveWords
}

function addLanes(lanes: Lane[], { offset, count }: Variable, values: ColumnValues): void {
  const isBytes = values instanceof Uint8Array
  const target = isBytes ? values : new Int32Array(values.buffer)
  const move = isBytes ? moveBytes : moveWords
  const step = (count * values.BYTES_PER_ELEMENT) / target.BYTES_PER_ELEMENT
  for (let first = 0; first < step; first++) {
    lanes.push({ offset: offset + first * target.BYTES_PER_ELEMENT, target, first, step, move })
  }
}

/**
 * Moves `rows` rows of `block` to the lanes, from row `row` on.
 *
 * The loops are called through the lane. If they were called by name, the engine would inline them before it
 * optimises them, and every row would take twice the time. Each further loop would cost milliseconds to
 * compile, as much as it could gain. `| 0` shows the engine that offsets are integers, which saves a check a
 * value; `MAX_COLUMN_BYTES` ensures it.
 */
function scatter(lanes: readonly Lane[], block: Uint8Array, bufLen: number, row: number, rows: number): void {
  const view = new DataView(block.buffer)
  for (let i = 0; i < lanes.length; i++) {
    const { offset, target, first, step, move } = lanes[i]!
    const index = row * step + first
    move(view, offset, bufLen, target, index, step, index + rows * step)
  }
}

function moveWords(
  block: DataView,
  at: number,
  bufLen: number,
  target: Uint8Array | Int32Array,
  index: number,
  step: number,
  end: number,
): void {
  for (; index < end; index = (index + step) | 0) {
    target[index] = block.getInt32(at, true)
    at = (at + bufLen) | 0
  }
}

function moveBytes(
  block: DataView,
  at: number,
  bufLen: number,
  target: Uint8Array | Int32Array,
  index: number,
  step: number,
  end: number,
): void {
  for (; index < end; index = (index + step) | 0) {
    target[index] = block.getUint8(at)
    at = (at + bufLen) | 0
  }
}

function throwIfAborted(signal: ReadColumnsOptions['signal']): void {
  if (!signal?.aborted) return
  if (signal.reason !== undefined) throw signal.reason
  throw Object.assign(new Error('Reading was stopped.'), { name: 'AbortError' })
}
