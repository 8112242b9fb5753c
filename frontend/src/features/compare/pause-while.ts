/** Returns a pause between steps of long work: the page handles events meanwhile. It rejects when the work is no longer wanted. */
export function pauseWhile(isWanted: () => boolean): () => Promise<void> {
  return async () => {
    await new Promise(resolve => setTimeout(resolve))
    if (!isWanted()) throw new Error('Something else was asked for.')
  }
}
