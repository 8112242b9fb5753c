/**
 * Loaded before every process of the local stack (`node --import`). When the parent process is gone, even by
 * SIGKILL, the channel between them closes and this process stops like after SIGTERM. So a killed stack
 * leaves no process and no port behind.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  // The channel alone must not keep the process running.
  process.channel.unref()
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000).unref()
    process.kill(process.pid, 'SIGTERM')
  })
}
