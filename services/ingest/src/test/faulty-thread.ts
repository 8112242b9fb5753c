import { readFileSync } from 'node:fs'
import { type JudgeTask, judge as judgeWell } from '../judging/judge-thread.ts'

/** Judges as the real thread does, except for files that begin with the name of a fault. */
export async function judge(task: JudgeTask) {
  const fault = faults[readFileSync(task.path).subarray(0, 20).toString('latin1').trim()]
  if (fault) fault()
  return judgeWell(task)
}

const faults: Readonly<Record<string, () => void>> = {
  exit: () => process.exit(7),
  throw: () => {
    throw new TypeError('canary-of-the-content')
  },
  // Uses no CPU. The tests of the thread pool stop a thread that does.
  loop: () => {
    const never = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(never, 0, 0, 50)
  },
  // Many small objects: a growing array allocates many megabytes in one step. If they exceed the margin that
  // the engine grants a thread at its limit, the whole process ends.
  'fill the heap': () => {
    let kept: object = {}
    for (;;) kept = { kept }
  },
}
