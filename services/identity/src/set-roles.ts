import { changeAsOperator } from './change-as-operator.ts'
import { loadConfig } from './config.ts'
import { setRoles } from './users/set-roles.ts'

/** `node src/set-roles.ts <user id> [role …]`: sets the roles of an account, beside the default one. */
const [userId, ...roles] = process.argv.slice(2)
const config = loadConfig(process.env)
const known = config.rbacPolicy.roles.map(role => role.role_id)
const unknown = roles.filter(role => !known.includes(role))
if (userId === undefined || unknown.length > 0) {
  if (unknown.length > 0)
    console.error(`The policy has no role ${unknown.join(', ')}. Its roles: ${known.join(', ')}.`)
  console.error('node src/set-roles.ts <user id> [role …]')
  process.exit(2)
}
const found = await changeAsOperator(config, work => setRoles(work, userId, roles))
console.log(
  found
    ? `identity: ${userId} has ${roles.join(', ') || 'only the default role'}`
    : 'identity: there is no such account',
)
process.exitCode = found ? 0 : 1
