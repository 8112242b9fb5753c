import { newId } from '../crypto/secrets.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireFirstFactor } from '../sessions/second-factor.ts'
import { readUser } from '../users/user.ts'
import { newRecoveryCodes, sealRecoveryCode } from './recovery-code.ts'
import { lockTotp, replaceTotp } from './totp.repository.ts'
import { newTotpSecret, qrCodeOf, sealTotpSecret } from './totp-secret.ts'

/**
 * Creates an authenticator app with its recovery codes. It protects nothing until a first code confirms it.
 * Replaces an unconfirmed one. Throws `active_totp_exists` if the account has a confirmed one.
 * Where everybody needs a second factor, a session without one can set up the first.
 */
export function createTotp(deps: Deps): HandlerOf<'createTotp'> {
  const { change, readClient, limits, cipher, settings } = deps
  return async request => {
    const client = readClient(request)
    const { expiration_minutes } = request.body as { expiration_minutes?: number }
    const minutes = readExpiration(expiration_minutes, { min: 5, max: 1_440, fallback: 60 })
    await limits.count('factor', client)
    const totpId = newId('totp')
    const secret = newTotpSecret()
    const codes = newRecoveryCodes()
    const user = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireFirstFactor(work, session)
      const { userId } = session
      if ((await lockTotp(work.trx, userId))?.verified) throw new IdentityError('active_totp_exists')
      await replaceTotp(work, userId, {
        totpId,
        secretSealed: sealTotpSecret(cipher, totpId, secret),
        expiresAt: new Date(work.now.getTime() + minutes * 60_000),
        codes: codes.map(code => sealRecoveryCode(cipher, totpId, code)),
      })
      return (await readUser(work.trx, userId))!
    })
    return answer(request, {
      user_id: user.user_id,
      user,
      __user: user,
      totp_id: totpId,
      secret,
      qr_code: await qrCodeOf(secret, user.emails[0]?.email ?? user.user_id, settings.projectName),
      recovery_codes: [...codes],
    })
  }
}
