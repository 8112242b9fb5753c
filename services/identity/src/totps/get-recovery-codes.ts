import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireApp } from '../sessions/second-factor.ts'
import { openRecoveryCode } from './recovery-code.ts'
import { lockTotp, unusedCodes } from './totp.repository.ts'

/**
 * Returns the unused recovery codes of a confirmed app. Needs the second factor in the session. Throws
 * `totp_not_found` before the first code. Any session could otherwise read the codes that protect the account
 * later, also a session of a thief who has the password.
 */
export function getRecoveryCodes({
  change,
  readClient,
  limits,
  cipher,
}: Deps): HandlerOf<'getRecoveryCodes'> {
  return async request => {
    const client = readClient(request)
    await limits.count('factor', client)
    const { userId, totp, codes } = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireApp(work, session)
      const totp = await lockTotp(work.trx, session.userId)
      if (!totp?.verified) throw new IdentityError('totp_not_found')
      return { userId: session.userId, totp, codes: await unusedCodes(work.trx, totp.totpId) }
    })
    return answer(request, {
      user_id: userId,
      totps: [
        {
          totp_id: totp.totpId,
          verified: totp.verified,
          recovery_codes: codes.map(code => openRecoveryCode(cipher, code)),
        },
      ],
    })
  }
}
