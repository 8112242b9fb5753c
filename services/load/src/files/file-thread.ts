/** A thread that simulates files, so that the runner's own loop stays free. */
import { parentPort } from 'node:worker_threads'
import type { RunName } from '../scenarios/world.ts'
import { simulateFile } from './simulate-file.ts'

parentPort!.on('message', ({ run, file }: { readonly run: RunName; readonly file: number }) => {
  const bytes = simulateFile(run, file)
  parentPort!.postMessage({ file, bytes }, [bytes.buffer as ArrayBuffer])
})
