/**
 * Reads a file and drops it, in blocks of the reader's size into one buffer. Argument: path. Prints the CPU
 * time.
 */
import { openFileSource } from '@lapwing/files'
import { measureCpu } from './measure-cpu.ts'

const [path = ''] = process.argv.slice(2)

const cpuMs = await measureCpu(() => {
  const source = openFileSource(path)
  const block = new Uint8Array(512 * 1024)
  for (let offset = 0; offset < source.size; ) offset += source.read(offset, block)
  source.close()
})

console.log(JSON.stringify({ cpuMs }))
