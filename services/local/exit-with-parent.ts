/**
 * Loaded before every process of the local stack (`node --import`): when the process that started it
 * is gone, even by SIGKILL, the channel between them closes and this one stops as if by SIGTERM. So a
 * stack that was killed leaves no process and no port behind.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  // The channel alone must not keep the process alive.
  process.channel.unref()
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000).unref()
    process.kill(process.pid, 'SIGTERM')
  })
}
