import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadRolesConfig } from './config.ts'
import { setRoles } from './users/set-roles.ts'

/** `node src/set-roles.ts <user id> [role …]`: sets the roles of an account, beside the default one. */
await runOperatorCommand(async () => {
  const [userId, ...roles] = process.argv.slice(2)
  const config = loadRolesConfig(process.env)
  const known = config.rbacPolicy.roles.map(role => role.role_id)
  const unknown = roles.filter(role => !known.includes(role))
  if (unknown.length > 0) {
    console.error(`The policy has no role ${unknown.join(', ')}. Its roles: ${known.join(', ')}.`)
  }
  if (userId === undefined || unknown.length > 0) {
    console.error('node src/set-roles.ts <user id> [role …]')
    return 2
  }
  const isFound = await changeAsOperator(config, work => setRoles(work, userId, roles))
  const names = roles.join(', ') || 'only the default role'
  console.log(isFound ? `identity: ${userId} has ${names}` : 'identity: there is no such account')
  return isFound ? 0 : 1
})
