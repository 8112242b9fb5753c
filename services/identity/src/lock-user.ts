import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadLockConfig } from './config.ts'
import { lockUser } from './users/lock-user.ts'

/** `node src/lock-user.ts <user id> [--unlock]`: locks an account and ends its sessions, or unlocks it. */
await runOperatorCommand(async () => {
  const [userId, flag] = process.argv.slice(2)
  if (userId === undefined || (flag !== undefined && flag !== '--unlock')) {
    console.error('node src/lock-user.ts <user id> [--unlock]')
    return 2
  }
  const isLocked = flag === undefined
  const config = loadLockConfig(process.env)
  const isFound = await changeAsOperator(config, work => lockUser(work, userId, isLocked))
  const state = isLocked ? 'locked' : 'unlocked'
  console.log(isFound ? `identity: ${userId} is ${state}` : 'identity: there is no such account')
  return isFound ? 0 : 1
})
