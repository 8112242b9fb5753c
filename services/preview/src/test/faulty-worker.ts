import { readFileSync } from 'node:fs'
import { TASK_STATE } from '@lapwing/threads'
import { type PreviewTask, readPreview as readWell } from '../previews/preview-worker.ts'

/** Runs the real worker, but causes the fault if the file contains the name of one. */
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
  // Uses no CPU. The tests of the thread pool stop a thread that does.
  loop: () => {
    const never = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(never, 0, 0, 50)
  },
  // Single objects: a growing array allocates many megabytes in one step. If that exceeds the reserve that
  // the engine has for a thread at its limit, it ends the process and not the thread. The reader's own data
  // of a file are outside the heap.
  'fill the heap': () => {
    let kept: object = {}
    for (;;) kept = { kept }
  },
}
