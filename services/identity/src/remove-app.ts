import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadRemovalConfig } from './config.ts'
import { createCipher } from './crypto/cipher.ts'
import { createCounter } from './limits/counter.ts'
import { createMailLimits } from './limits/mail-limits.ts'
import { createEnqueueMail } from './mail/mail-outbox.ts'
import { removeApp } from './totps/remove-app.ts'

/**
 * `node src/remove-app.ts <user id>`: removes the authenticator app of an account whose owner has lost app and
 * recovery codes, or whose app a stranger set up. The running service sends the mail about it.
 */
await runOperatorCommand(async () => {
  const [userId, ...rest] = process.argv.slice(2)
  if (userId === undefined || rest.length > 0) {
    console.error('node src/remove-app.ts <user id>')
    return 2
  }
  const config = loadRemovalConfig(process.env)
  const cipher = createCipher(config.keyEncryptionKey)
  const mailer = {
    limits: createMailLimits(createCounter(cipher)),
    enqueueMail: createEnqueueMail({ cipher, projectName: config.projectName }),
    settings: config,
  }
  const isRemoved = await changeAsOperator(config, work => removeApp(work, mailer, userId))
  console.log(
    isRemoved ? `identity: ${userId} has no authenticator app` : 'identity: no such account has one',
  )
  return isRemoved ? 0 : 1
})
