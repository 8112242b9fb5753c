/**
 * Reads columns of a file as Lapwing does. Arguments: path, names with commas between or `all`.
 * Prints the CPU time from before the file is opened until the columns are there.
 */
import { openFileSource } from '@lapwing/files'
import { openIbt, readColumns } from '@lapwing/telemetry'

const [path = '', names = 'all'] = process.argv.slice(2)

const start = process.cpuUsage()
const source = openFileSource(path)
const file = await openIbt(source)
const { byName, rows } = await readColumns(file, names === 'all' ? 'all' : names.split(','))
source.close()
const { user, system } = process.cpuUsage(start)

let values = 0
for (const column of byName.values()) values += column.values.length
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, columns: byName.size, rows, values }))
