import { setTimeout as delay } from 'node:timers/promises'
import { cancelSignal, moveBuffers, TASK_STATE, type TaskState } from '../index.ts'

export function moveBytes({ size }: { readonly size: number }): { readonly body: Uint8Array<ArrayBuffer> } {
  const body = new Uint8Array(size).fill(7)
  return moveBuffers({ body }, [body.buffer])
}

/** Works until it is cancelled. */
export async function waitForCancel({ state }: { readonly state: TaskState }): Promise<string> {
  const signal = cancelSignal(state)
  Atomics.store(state, TASK_STATE.MARK, 1)
  while (!signal.aborted) await delay(5)
  return 'cancelled'
}

export function loop(): void {
  for (;;);
}
