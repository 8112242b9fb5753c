/**
 * Measures identity's password hash alone: verifies `<count>` times, one per core in parallel, and prints the
 * total milliseconds.
 */
import { availableParallelism } from 'node:os'
import { defaultHashCost } from '@lapwing/identity/hash-cost'
import { createPasswordHasher } from '@lapwing/identity/password-hasher'

const count = Number(process.argv[2])
const password = 'violet kerb sausage 42'
const hasher = await createPasswordHasher({
  ...defaultHashCost,
  concurrency: availableParallelism(),
  maxWaitMs: 600_000,
})
const hash = await hasher.hash(password)
const begin = performance.now()
await Promise.all(Array.from({ length: count }, () => hasher.verify(hash, password)))
console.log(JSON.stringify({ ms: performance.now() - begin }))
