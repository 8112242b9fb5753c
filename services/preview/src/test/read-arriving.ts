/**
 * Thread that reads an arriving file in pieces of 100 bytes until it is whole, and posts its first 1000
 * bytes.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openArrivingSource } from '../previews/arriving-file.ts'

const source = openArrivingSource(workerData, 60_000)
const bytes = new Uint8Array(1000)
for (let offset = 0; offset < bytes.length; offset += 100)
  source.read(offset, bytes.subarray(offset, offset + 100))
source.waitForWhole()
source.close()
parentPort!.postMessage(bytes)
