/**
 * Reads columns of a file. Prints the largest growth of the process and the size of the columns, in bytes.
 * Run it with `--expose-gc`, on Linux. Arguments: a small file to warm up with, path, names separated by
 * commas or `all`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { openFileSource } from '@lapwing/files'
import { openIbt, readColumns } from '@lapwing/telemetry'

const [warmUp = '', path = '', list = 'all'] = process.argv.slice(2)
const names = list === 'all' ? 'all' : list.split(',')

async function read(path: string) {
  const source = openFileSource(path)
  try {
    return await readColumns(await openIbt(source), names)
  } finally {
    source.close()
  }
}

/** Returns a field of proc(5) status, in bytes. */
function memory(field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(line![1]) * 1024
}

await read(warmUp)
globalThis.gc!()
// Resets the peak to the resident memory; see proc(5), clear_refs.
writeFileSync('/proc/self/clear_refs', '5')
const start = memory('VmRSS')
const { byName } = await read(path)
const grownBytes = memory('VmHWM') - start

let columnBytes = 0
for (const column of byName.values()) columnBytes += column.values.byteLength
console.log(JSON.stringify({ grownBytes, columnBytes }))
