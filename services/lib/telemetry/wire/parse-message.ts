import { fromBinary } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { type Column, ColumnSchema, ColumnsSchema } from '@lapwing/contracts/telemetry.pb'
import { WireError } from './wire-error.ts'

/**
 * Laps and columns that a message may hold. A lap of two bytes becomes an object of two hundred, so their
 * number is bounded before any is created. A day of 15 s laps has 5,760.
 */
const MAX_PARTS = 65_536

/**
 * Bytes of a lap, of meta and of debug: texts of at most 128 characters and short lists. An empty list entry
 * needs two bytes and, in a long list, half a microsecond.
 */
const MAX_PART_BYTES = 65_536

export function parseColumns(bytes: Uint8Array): { rows: number; columns: Column[] } {
  const { rows, columns } = ColumnsSchema.field
  const parts = { rows: 0, columns: [] as Column[] }
  eachField(bytes, {
    [rows.number]: {
      wireType: WireType.Varint,
      read: reader => {
        parts.rows = reader.uint32()
      },
    },
    [columns.number]: message(part => {
      parts.columns.push(fromBinary(ColumnSchema, part, KNOWN_FIELDS))
    }),
  })
  return parts
}

/** How a field is parsed. */
interface Field {
  readonly wireType: WireType
  readonly read: (reader: BinaryReader) => void
}

export function message(read: (part: Uint8Array) => void): Field {
  return { wireType: WireType.LengthDelimited, read: reader => read(reader.bytes()) }
}

export function smallMessage(read: (part: Uint8Array) => void): Field {
  return message(part => {
    if (part.byteLength > MAX_PART_BYTES) throw malformed('part length')
    read(part)
  })
}

export function text(read: (value: string) => void): Field {
  return { wireType: WireType.LengthDelimited, read: reader => read(reader.string()) }
}

export const KNOWN_FIELDS = { readUnknownFields: false } as const

/**
 * Reads the fields of a message in turn, and skips unknown field numbers. Throws a `WireError` for a wrong
 * wire type or too many parts.
 */
export function eachField(bytes: Uint8Array, fields: Readonly<Record<number, Field>>): void {
  const reader = new BinaryReader(bytes)
  for (let count = 1; reader.pos < reader.len; count++) {
    if (count > MAX_PARTS) throw new WireError('wire.too_many_parts', `more than ${MAX_PARTS}`)
    const [number, wireType] = reader.tag()
    const field = fields[number]
    if (field === undefined) reader.skip(wireType, number)
    else if (field.wireType === wireType) field.read(reader)
    else throw malformed(`wire type of field ${number}`)
  }
}

export function malformed(detail: string): WireError {
  return new WireError('wire.malformed', detail)
}
