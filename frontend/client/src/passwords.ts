import { type Client, enter, post } from './client.ts'
import type { BodyOf } from './contract.ts'
import { projectOf } from './project.ts'

/** Creates the calls about passwords. */
export function createPasswords(client: Client) {
  const { challenge, exchange } = projectOf(client)
  return {
    /** Creates an account. */
    create: (body: BodyOf<'createPassword'>) => enter<'createPassword'>(client, '/passwords', body),
    authenticate: (body: BodyOf<'authenticatePassword'>) =>
      enter<'authenticatePassword'>(client, '/passwords/authenticate', body),
    /** Mails a link that sets a new password. */
    startReset: async (body: BodyOf<'startPasswordReset'>) =>
      post<'startPasswordReset'>(client, '/passwords/email/reset/start', {
        ...body,
        ...(await challenge('passwords')),
      }),
    /** Sets a password by the token of the mailed link. */
    resetByEmail: (body: BodyOf<'resetPasswordByEmail'>) =>
      exchange<'resetPasswordByEmail'>('passwords', '/passwords/email/reset', body),
    resetByExisting: (body: BodyOf<'resetPasswordByExisting'>) =>
      enter<'resetPasswordByExisting'>(client, '/passwords/existing_password/reset', body),
    /** Sets a password of the signed-in person. */
    resetBySession: (body: BodyOf<'resetPasswordBySession'>) =>
      enter<'resetPasswordBySession'>(client, '/passwords/session/reset', body),
    checkStrength: (body: BodyOf<'checkPasswordStrength'>) =>
      post<'checkPasswordStrength'>(client, '/passwords/strength_check', body),
  }
}
