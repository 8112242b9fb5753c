export { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './create-thread-pool.ts'
export { moveBuffers, ownBuffer } from './move-buffers.ts'
export { cancelSignal, createTaskState, TASK_STATE, type TaskState } from './task-state.ts'
