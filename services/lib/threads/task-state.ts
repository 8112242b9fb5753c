/** Memory that a task's thread and its pool share. `TASK_STATE` holds its indexes. */
export type TaskState = Int32Array<SharedArrayBuffer>

/** `CANCELLED` is 1 once nobody needs the result. `MARK` is for the task's own use. */
export const TASK_STATE = { CANCELLED: 0, MARK: 1 } as const

export function createTaskState(): TaskState {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** Returns a signal for a thread to poll. A busy event loop receives no abort events. */
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
