/**
 * Reads a file and does nothing with it: in blocks of the reader's size into one buffer. Argument:
 * path. Prints the CPU time.
 */
import { openFileSource } from '@lapwing/files'

const [path = ''] = process.argv.slice(2)

const start = process.cpuUsage()
const source = openFileSource(path)
const block = new Uint8Array(512 * 1024)
for (let offset = 0; offset < source.size; ) offset += source.read(offset, block)
source.close()
const { user, system } = process.cpuUsage(start)

console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }))
