import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadImpersonationConfig } from './config.ts'
import { issueImpersonation, TOKEN_MINUTES } from './impersonation/impersonation.repository.ts'
import { withToken } from './redirects.ts'
import { readEmail } from './users/email-address.ts'

/**
 * `node src/impersonate.ts <user id> <operator's mail address> <reason>`: prints a link that opens an account as its
 * owner sees it. Stores who opens it and why; the page shows the operator's address, and the owner gets a mail.
 */
await runOperatorCommand(async () => {
  const [userId, operator = '', ...words] = process.argv.slice(2)
  const reason = words.join(' ').trim()
  if (userId === undefined || !isAddress(operator) || reason === '' || reason.length > 500) {
    console.error('node src/impersonate.ts <user id> <operator’s mail address> <reason>')
    return 2
  }
  const config = loadImpersonationConfig(process.env)
  const token = await changeAsOperator(config, work => issueImpersonation(work, { userId, operator, reason }))
  if (token === null) {
    console.log('identity: there is no such account, or it is locked')
    return 1
  }
  console.log(`The link works once, for ${TOKEN_MINUTES} minutes. Open it in a private window.`)
  console.log(withToken(new URL('/authenticate', config.publicOrigin).href, 'impersonation', token))
  return 0
})

function isAddress(text: string): boolean {
  try {
    readEmail(text)
    return true
  } catch {
    return false
  }
}
