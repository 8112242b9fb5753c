/**
 * The password hash alone, as identity uses it: verifies `<count>` times, one a core at once, and
 * prints the milliseconds they took together.
 */
import { availableParallelism } from 'node:os'
import { createPasswordHasher, defaultHashCost } from '@lapwing/identity/password-hasher'

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
