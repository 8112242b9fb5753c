import { parseArgs } from 'node:util'
import { createDb } from '@lapwing/db'
import { loadRotationConfig } from './config.ts'
import { createCipher } from './crypto/cipher.ts'
import type { Database } from './database.ts'
import { rotateKeys } from './keys/rotate-keys.ts'

/** `node src/rotate-keys.ts [--compromised]`: creates a signing key; see `keys/rotate-keys.ts`. */
const { values } = parseArgs({ options: { compromised: { type: 'boolean', default: false } } })
const config = loadRotationConfig(process.env)
const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'identity', poolSize: 1 })
try {
  const kid = await rotateKeys({
    db,
    cipher: createCipher(config.keyEncryptionKey),
    now: new Date(),
    jwtMaxMinutes: config.jwtMaxMinutes,
    compromised: values.compromised,
  })
  console.log(
    `identity: ${kid} is published${values.compromised ? ' and signs; all other keys are deleted' : ''}`,
  )
} finally {
  await db.destroy()
}
