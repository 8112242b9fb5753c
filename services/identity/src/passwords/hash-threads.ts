import { createThreadPool } from '@lapwing/threads'
import type { Options } from '@node-rs/argon2'

/** Threads that do nothing but hash. */
export interface HashThreads {
  hash(password: string, parameters: Options): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** How much later than all else a hash gets a processor both want; 0 is no difference, 19 the most. */
const NICE_INCREMENT = 19

/**
 * A thread a hash, of lower priority than the rest of the process: a flood of sign-ins takes the
 * processors that are free and leaves every other answer its own. They also keep the hashes out of
 * the four threads that names are looked up and files are read with. Idle threads let a process end.
 */
export function createHashThreads(count: number): HashThreads {
  // The door before them bounds what waits.
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
