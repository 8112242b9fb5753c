import { changeAsOperator } from './change-as-operator.ts'
import { loadConfig } from './config.ts'
import { lockUser } from './users/lock-user.ts'

/** `node src/lock-user.ts <user id> [--unlock]`: locks an account and ends its sessions, or unlocks it. */
const [userId, flag] = process.argv.slice(2)
if (userId === undefined || (flag !== undefined && flag !== '--unlock')) {
  console.error('node src/lock-user.ts <user id> [--unlock]')
  process.exit(2)
}
const isLocked = flag === undefined
const found = await changeAsOperator(loadConfig(process.env), work => lockUser(work, userId, isLocked))
console.log(
  found ? `identity: ${userId} is ${isLocked ? 'locked' : 'unlocked'}` : 'identity: there is no such account',
)
process.exitCode = found ? 0 : 1
