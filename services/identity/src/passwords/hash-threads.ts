import { createThreadPool } from '@lapwing/threads'
import type { Options } from '@node-rs/argon2'

/** Lowers the threads' priority: 0 is none, 19 the most. */
const NICE_INCREMENT = 19

/**
 * Starts `count` threads of low priority. A flood of sign-ins then uses only idle processors and does
 * not slow other requests. Hashes also stay out of the four threads that Node uses for DNS and files.
 * Idle threads do not keep the process alive.
 */
export function createHashThreads(count: number) {
  // The password hasher bounds the queue.
  const threads = createThreadPool<object, never>({
    module: new URL('./hash-worker.ts', import.meta.url),
    threads: count,
    niceIncrement: NICE_INCREMENT,
  })
  return {
    hash: (password: string, parameters: Options): Promise<string> =>
      threads.run({ password, parameters }, { name: 'hashPassword' }),
    verify: (stored: string, password: string): Promise<boolean> =>
      threads.run({ stored, password }, { name: 'verifyPassword' }),
  }
}
