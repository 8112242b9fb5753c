import { readFileSync } from 'node:fs'
import { TASK_STATE } from '@lapwing/threads'
import { type PreviewTask, readPreview as readWell } from '../previews/preview-worker.ts'

/** The real worker, except for files that hold the name of a fault. */
export async function readPreview(task: PreviewTask) {
  const fault = faults[readFileSync(task.path).subarray(0, 20).toString('latin1')]
  if (fault) {
    Atomics.store(task.state, TASK_STATE.MARK, 1)
    fault()
  }
  return readWell(task)
}

const faults: Readonly<Record<string, () => void>> = {
  exit: () => process.exit(7),
  throw: () => {
    throw new TypeError('canary-of-the-content')
  },
  'throw later': () => {
    setImmediate(() => {
      throw new Error('canary-of-the-content')
    })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  },
  loop: () => {
    for (;;);
  },
  // Object by object: a growing array asks for many megabytes at once, and where that is more than
  // the engine's leeway for a thread at its limit, the process ends and not the thread. What the
  // reader keeps of a file lies outside the heap.
  'fill the heap': () => {
    let kept: object = {}
    for (;;) kept = { kept }
  },
}
