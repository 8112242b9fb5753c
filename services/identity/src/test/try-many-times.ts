/**
 * A process that tries many concurrent sign-ins to one account for each message, and replies how many
 * passed.
 */
import { createDb } from '@lapwing/db'
import { createCipher } from '../crypto/cipher.ts'
import type { Database } from '../database.ts'
import { createLimits } from '../limits/limits.ts'
import { credentialsOf } from '../passwords/password.repository.ts'

interface Order {
  readonly accountKey: string
  readonly tries: number
  readonly ipAddress: string
}

const db = createDb<Database>({ url: process.argv[2]!, schema: 'identity', poolSize: 10 })
const limits = createLimits({
  db,
  cipher: createCipher(Buffer.alloc(32, 7)),
  now: () => new Date(),
  newAccountsPerHour: 20,
  texts: { intervalMs: 60_000, perNumberAndDay: 10, perNetworkAndHour: 10, perDay: 1_000 },
})

process.on('message', async ({ accountKey, tries, ipAddress }: Order) => {
  const results = await Promise.allSettled(
    Array.from({ length: tries }, () =>
      limits.countSignIn({ ipAddress, accountKey, browser: null }, credentialsOf(accountKey)),
    ),
  )
  process.send!(results.filter(({ status }) => status === 'fulfilled').length)
})
process.on('disconnect', () => db.destroy())
process.send!('ready')
