/** The six types of an `.ibt` variable (irsdk_VarType 0 to 5), with their sizes in bytes 1 1 4 4 4 8. */
export type VariableType = 'char' | 'bool' | 'int' | 'bitfield' | 'float' | 'double'

/** char and bool as bytes, int signed, bitfield unsigned; float and double bit for bit as in the file. */
export type ColumnValues = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

/** One variable as the file declares it. */
export interface Variable {
  readonly name: string
  readonly type: VariableType
  /** Values a row; more than 1 for sub-sampled channels such as `SteeringWheelTorque_ST`. */
  readonly count: number
  /** Bytes from the start of a row. */
  readonly offset: number
  readonly unit: string
  readonly description: string
}

/** All values of one variable: `rows * count` of them, row after row. */
export interface Column {
  readonly name: string
  readonly type: VariableType
  readonly count: number
  readonly unit: string
  readonly values: ColumnValues
}

/** Columns of equal length by name. */
export interface Columns {
  readonly rows: number
  readonly byName: ReadonlyMap<string, Column>
}
