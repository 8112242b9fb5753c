import { createThreadPool } from '@lapwing/threads'
import type { Options } from '@node-rs/argon2'

/** Threads that only hash. */
export interface HashThreads {
  hash(password: string, parameters: Options): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** Lowers the threads' priority: 0 is none, 19 the most. */
const NICE_INCREMENT = 19

/**
 * Starts `count` threads of low priority. A flood of sign-ins then uses only idle processors and does
 * not slow other requests. Hashes also stay out of the four threads that Node uses for DNS and files.
 * Idle threads do not keep the process alive.
 */
export function createHashThreads(count: number): HashThreads {
  // The password hasher bounds the queue.
  const threads = createThreadPool<object, never>({
    module: new URL('./hash-worker.ts', import.meta.url),
    threads: count,
    niceIncrement: NICE_INCREMENT,
  })
  return {
    hash: (password, parameters) => threads.run({ password, parameters }, { name: 'hashPassword' }),
    verify: (stored, password) => threads.run({ stored, password }, { name: 'verifyPassword' }),
  }
}
