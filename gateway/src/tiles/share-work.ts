interface Running<Value> {
  readonly result: Promise<Value>
  readonly stop: AbortController
  callers: number
}

/**
 * Creates a function that runs equal works once: callers with the same key share the result of the one that is
 * running. A caller whose `gone` aborts rejects with its reason. When the last caller has gone, the work is aborted.
 */
export function createSharedWork<Value>() {
  const running = new Map<string, Running<Value>>()

  function start(key: string, work: (gone: AbortSignal) => Promise<Value>): Running<Value> {
    const stop = new AbortController()
    const entry: Running<Value> = {
      stop,
      callers: 0,
      result: work(stop.signal).finally(() => forget(key, entry)),
    }
    running.set(key, entry)
    return entry
  }

  function forget(key: string, entry: Running<Value>) {
    if (running.get(key) === entry) running.delete(key)
  }

  return (
    key: string,
    work: (gone: AbortSignal) => Promise<Value>,
    gone: AbortSignal,
  ): Promise<{ readonly value: Value; readonly isOwn: boolean }> => {
    const found = running.get(key)
    const entry = found ?? start(key, work)
    entry.callers++
    return new Promise((resolve, reject) => {
      function leave() {
        entry.callers--
        if (entry.callers === 0) {
          // A later caller starts it again.
          forget(key, entry)
          entry.stop.abort()
        }
        reject(gone.reason)
      }
      if (gone.aborted) leave()
      else gone.addEventListener('abort', leave, { once: true })
      entry.result
        .then(value => resolve({ value, isOwn: found === undefined }), reject)
        .finally(() => gone.removeEventListener('abort', leave))
    })
  }
}
