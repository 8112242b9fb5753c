import { type Client, enter, post, variantOf } from './client.ts'
import type { BodyOf, DataOf } from './contract.ts'
import { ApiError } from './errors.ts'
import { projectOf } from './project.ts'

/** Creates the calls about links in mails. */
export function createMagicLinks(client: Client) {
  const { challenge, exchange, hasVerifier } = projectOf(client)
  const bound = async <Body extends object>(body: Body) => ({ ...body, ...(await challenge('magic_links')) })
  return {
    /** Mails a link, also to an address that has no account yet. */
    loginOrCreate: async (body: BodyOf<'sendMagicLinkOrCreate'>) =>
      post<'sendMagicLinkOrCreate'>(client, '/magic_links/email/login_or_create', await bound(body)),
    /** Mails a link that signs in, or that adds the address to the signed-in person. */
    send: async (body: BodyOf<'sendMagicLink'>) =>
      post<'sendMagicLink'>(client, `/magic_links/email/send/${variantOf(client)}`, await bound(body)),
    /** Signs in by the token of a link, also of the one in a reset mail for people who know their password. */
    async authenticate(
      body: Pick<BodyOf<'authenticateMagicLink'>, 'token' | 'session_duration_minutes'>,
    ): Promise<DataOf<'authenticateMagicLink'>> {
      const path = '/magic_links/authenticate'
      if (hasVerifier('passwords')) {
        try {
          return await exchange<'authenticateMagicLink'>('passwords', path, body)
        } catch (error) {
          // The token stays valid, because only the verifier was of another link.
          if (!(error instanceof ApiError && error.type.startsWith('pkce'))) throw error
        }
      }
      return exchange<'authenticateMagicLink'>('magic_links', path, body)
    },
  }
}

/** Creates the calls about codes in mails. */
export function createMailCodes(client: Client) {
  return {
    /** Mails a code, also to an address that has no account yet. */
    loginOrCreate: (body: BodyOf<'sendEmailCodeOrCreate'>) =>
      post<'sendEmailCodeOrCreate'>(client, '/otps/email/login_or_create', body),
    /** Mails a code that signs in, or that proves or adds an address of the signed-in person. */
    send: (body: BodyOf<'sendEmailCode'>) =>
      post<'sendEmailCode'>(client, `/otps/email/send/${variantOf(client)}`, body),
    authenticate: (body: BodyOf<'authenticateCode'>, token?: string | null) =>
      enter<'authenticateCode'>(client, '/otps/authenticate', body, token),
  }
}
