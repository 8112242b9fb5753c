import type { Random } from '@lapwing/simulator/random'
import { HEADER, HEADERS_BYTES, SUB_HEADER, VARIABLE_HEADER, VARIABLE_HEADER_BYTES } from '../ibt/layout.ts'

/**
 * Returns a damaged copy of an `.ibt` file: one to six mutations, most of them in the headers, where a byte
 * decides how much is read and allocated. The same `random` makes the same file.
 */
export function mutate(file: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = file.slice()
  for (let left = 1 + random.below(6); left > 0; left--) {
    const damaged = random.pick(MUTATIONS)(bytes, random)
    if (damaged !== undefined) bytes = damaged
  }
  return bytes
}

/** Damages the bytes in place, or returns other bytes. */
type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array | undefined

/** Values at the edges of the fields' meaning and of 32 bits. */
const EDGES = [
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  59,
  60,
  111,
  112,
  113,
  143,
  144,
  145,
  255,
  256,
  1000,
  1001,
  4095,
  4096,
  4097,
  65_535,
  65_536,
  65_537,
  1_048_576,
  5_400_000,
  2 ** 24,
  2 ** 30,
  2 ** 31 - 1,
  -1,
  -2,
  -144,
  -(2 ** 31),
  0x7fc0_0000,
  0x7f80_0000,
  0x3f80_0000,
]

const HEADER_FIELDS = [
  ...Object.values(HEADER),
  SUB_HEADER.startDate,
  SUB_HEADER.lapCount,
  SUB_HEADER.recordCount,
]
const VARIABLE_FIELDS = Object.values(VARIABLE_HEADER)

const LINES = [
  '---\n',
  '...\n',
  ' Drivers:\n',
  ' - CarIdx: 0\n',
  'DriverInfo:\n',
  '   UserID: 1\n',
  '\0',
  '\n',
  ' - ',
  ': ',
]

const MUTATIONS: readonly Mutation[] = [
  setHeaderField,
  setHeaderField,
  setHeaderField,
  setVariableField,
  setVariableField,
  flipBit,
  fillRange,
  copyRange,
  writeLine,
  cut,
  grow,
]

function setHeaderField(bytes: Uint8Array, random: Random): undefined {
  setInt(bytes, random.pick(HEADER_FIELDS), random)
}

function setVariableField(bytes: Uint8Array, random: Random): undefined {
  const variable = random.below(40)
  setInt(bytes, HEADERS_BYTES + variable * VARIABLE_HEADER_BYTES + random.pick(VARIABLE_FIELDS), random)
}

/** Writes an edge value, an offset or size within the file, a step from the old value, or any 32 bits. */
function setInt(bytes: Uint8Array, at: number, random: Random): void {
  if (at + 4 > bytes.length) return
  const view = new DataView(bytes.buffer)
  const values = [
    random.pick(EDGES),
    random.below(bytes.length + 2),
    view.getInt32(at, true) + random.below(9) - 4,
    random.below(2 ** 32),
  ]
  view.setInt32(at, random.pick(values), true)
}

function flipBit(bytes: Uint8Array, random: Random): undefined {
  if (bytes.length === 0) return
  const at = random.below(random.pick([bytes.length, Math.min(bytes.length, 4096)]))
  bytes[at]! ^= 1 << random.below(8)
}

function fillRange(bytes: Uint8Array, random: Random): undefined {
  const start = random.below(bytes.length + 1)
  bytes.fill(random.pick([0, 0xff, 0x20, 0x2d, 0x7f, random.below(256)]), start, start + random.below(300))
}

function copyRange(bytes: Uint8Array, random: Random): undefined {
  const start = random.below(bytes.length + 1)
  bytes.copyWithin(random.below(bytes.length + 1), start, start + random.below(600))
}

function writeLine(bytes: Uint8Array, random: Random): undefined {
  const start = random.below(bytes.length + 1)
  const line = random.pick(LINES)
  for (let i = 0; i < line.length && start + i < bytes.length; i++) bytes[start + i] = line.charCodeAt(i)
}

function cut(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.slice(0, random.below(random.pick([bytes.length, Math.min(bytes.length, 200)]) + 1))
}

function grow(bytes: Uint8Array, random: Random): Uint8Array {
  const grown = new Uint8Array(bytes.length + random.below(3000))
  grown.set(bytes)
  return grown
}
