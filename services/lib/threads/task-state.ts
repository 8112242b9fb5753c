/** Memory that a task's thread and its pool share; `TASK_STATE` names its places. */
export type TaskState = Int32Array<SharedArrayBuffer>

/** `CANCELLED` is 1 once the result is not wanted any more; `MARK` is for the task's own use. */
export const TASK_STATE = { CANCELLED: 0, MARK: 1 } as const

export function createTaskState(): TaskState {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** Returns a signal that a thread polls: its event loop hears of no abort while it works. */
export function cancelSignal(state: TaskState): { readonly aborted: boolean; readonly reason: Error } {
  return {
    get aborted() {
      return Atomics.load(state, TASK_STATE.CANCELLED) === 1
    },
    get reason() {
      return new Error('cancelled')
    },
  }
}
