import { type Client, enter, post, variantOf } from './client.ts'
import type { BodyOf, PhoneChannel, PhoneCodes } from './contract.ts'
import { projectOf } from './project.ts'

/** Creates the calls about codes that reach phones by text or WhatsApp. Numbers are in E.164. */
export function createPhoneCodes(client: Client) {
  return {
    /** Returns how codes reach phones here; null if they do not. */
    async offered(): Promise<PhoneCodes | null> {
      // A hosted provider of the same protocol has no such member.
      const offered: PhoneCodes | undefined = (await projectOf(client).bootstrap())?.phone_codes
      return offered === undefined || offered.channels.length === 0 ? null : offered
    },
    /** Sends a code, also to a number that has no account yet. */
    loginOrCreate: (channel: PhoneChannel, body: BodyOf<'sendSmsCodeOrCreate'>) =>
      post<'sendSmsCodeOrCreate'>(client, `/otps/${channel}/login_or_create`, body),
    /** Sends a code that signs in, or that adds the number to the signed-in person. */
    send: (channel: PhoneChannel, body: BodyOf<'sendSmsCode'>) =>
      post<'sendSmsCode'>(client, `/otps/${channel}/send/${variantOf(client)}`, body),
    authenticate: (body: BodyOf<'authenticateCode'>, token?: string | null) =>
      enter<'authenticateCode'>(client, '/otps/authenticate', body, token),
  }
}
