import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeManyAsOperator } from './change-as-operator.ts'
import { loadLockConfig } from './config.ts'
import { endAccess } from './sessions/end-access.ts'

/** `node src/end-sessions.ts <user id> | --all`: signs one person or everybody out, and ends the tokens of their apps. */
await runOperatorCommand(async () => {
  const [whose, ...rest] = process.argv.slice(2)
  if (whose === undefined || rest.length > 0 || (whose.startsWith('-') && whose !== '--all')) {
    console.error('node src/end-sessions.ts <user id> | --all')
    return 2
  }
  const only = whose === '--all' ? null : whose
  const people = await changeManyAsOperator(loadLockConfig(process.env), runWork => endAccess(runWork, only))
  console.log(`identity: ${people} ${people === 1 ? 'account was' : 'accounts were'} signed out`)
  return only === null || people === 1 ? 0 : 1
})
