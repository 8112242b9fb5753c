type PostTask = (task: () => void) => void

/**
 * Returns a function that does a piece of work for each of `count` things, one a task, so that no task is long. If it is
 * called again before the end, all of them are due again. It does not begin again, so that the last ones
 * get their turn during a long drag, too. `done` is called after the last.
 */
export function inTurns(
  count: number,
  work: (index: number) => void,
  done: () => void,
  post: PostTask = createPostTask(),
) {
  let due = 0
  let next = 0
  let isPosted = false
  let isStopped = false

  function run() {
    isPosted = false
    if (isStopped || due === 0) return
    work(next)
    next = (next + 1) % count
    due--
    if (due > 0) postRun()
    else done()
  }

  function postRun() {
    if (isPosted) return
    isPosted = true
    post(run)
  }

  return Object.assign(
    () => {
      due = count
      postRun()
    },
    {
      stop() {
        isStopped = true
      },
    },
  )
}

/** Posts each task after the start of the next frame: one a frame, and outside of the frame's own task. */
export function createFramePost(): PostTask {
  const post = createPostTask()
  return task => requestAnimationFrame(() => post(task))
}

/** Posts tasks by messages, because browsers delay repeated time-outs of 0 by 4 ms. */
export function createPostTask(): PostTask {
  const { port1, port2 } = new MessageChannel()
  let task: (() => void) | null = null
  port1.onmessage = () => task?.()
  return next => {
    task = next
    port2.postMessage(null)
  }
}
