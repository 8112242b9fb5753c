import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadLockConfig } from './config.ts'
import { isSecureAddress } from './http/secure-address.ts'
import { addTrustedProfile, removeTrustedProfile } from './trusted-issuers/trusted-profile.repository.ts'

const USAGE = `node src/trusted-issuers.ts add <profile id> <issuer> <audience> <address of its key set>
node src/trusted-issuers.ts remove <profile id>`

/** Adds an issuer whose tokens sign people in, or removes it; see `trusted-issuers`. */
await runOperatorCommand(async () => {
  const [action, profileId = '', ...rest] = process.argv.slice(2)
  const [issuer = '', audience = '', keysUrl = ''] = rest
  if (action === 'remove' && rest.length === 0 && profileId !== '') {
    const isRemoved = await changeAsOperator(loadLockConfig(process.env), work =>
      removeTrustedProfile(work, profileId),
    )
    console.log(
      isRemoved ? `identity: ${profileId} is not trusted any more` : 'identity: there is no such profile',
    )
    return isRemoved ? 0 : 1
  }
  const isComplete =
    action === 'add' && rest.length === 3 && /^[\w.-]{1,64}$/.test(profileId) && audience !== ''
  if (!isComplete || !isSecureAddress(issuer) || !isSecureAddress(keysUrl)) {
    console.error(
      `${USAGE}\nA profile id has letters, digits and . _ - only. Both addresses begin with https.`,
    )
    return 2
  }
  const isAdded = await changeAsOperator(loadLockConfig(process.env), work =>
    addTrustedProfile(work, { profileId, issuer, audience, keysUrl }),
  )
  console.log(
    isAdded
      ? `identity: ${issuer} is trusted as ${profileId}`
      : `identity: there is a profile ${profileId} already`,
  )
  return isAdded ? 0 : 1
})
