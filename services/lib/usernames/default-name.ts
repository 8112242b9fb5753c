import { createHash } from 'node:crypto'

/**
 * Returns the generated name of an account: `user` and seven letters or digits of a digest of its id (D-15). So account
 * and leaderboard know one name, before the account has opened any page. Two accounts can rarely have the same one.
 */
export function defaultNameOf(userId: string): string {
  const number = createHash('sha256').update(`name of ${userId}`).digest().readBigUInt64BE() % NAMES
  return `user${number.toString(36).padStart(7, '0')}`
}

/** 78 thousand million names. */
const NAMES = 36n ** 7n
