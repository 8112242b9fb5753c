/**
 * Reads columns of a file with Lapwing's reader. Arguments: path, names separated by commas or `all`. Prints
 * the CPU time from before the file is opened until the columns are in memory.
 */
import { openFileSource } from '@lapwing/files'
import { type Columns, openIbt, readColumns } from '@lapwing/telemetry'
import { measureCpu } from './measure-cpu.ts'

const [path = '', names = 'all'] = process.argv.slice(2)

let columns: Columns | undefined
const cpuMs = await measureCpu(async () => {
  const source = openFileSource(path)
  const file = await openIbt(source)
  columns = await readColumns(file, names === 'all' ? 'all' : names.split(','))
  source.close()
})

const { byName, rows } = columns!
let values = 0
for (const column of byName.values()) values += column.values.length
console.log(JSON.stringify({ cpuMs, columns: byName.size, rows, values }))
