import { join } from 'node:path'
import type { Schema } from './schemas.ts'

/** Returns the file of a table in a backup: the output of `COPY`, compressed. */
export function tableFile(folder: string, schema: Schema, table: string): string {
  return join(folder, schema, `${table}.copy.gz`)
}
