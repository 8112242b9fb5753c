import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'oauth4webapi'
import type { OAuthClient } from './config.ts'

/** How Lapwing shows a provider that it is the client it says it is. */
export function clientAuth(client: OAuthClient, now: () => Date): ClientAuth {
  const { clientId, clientIdName = 'client_id', clientSecret } = client
  const inForm =
    (secret: () => string | Promise<string>): ClientAuth =>
    async (_as, _client, body) => {
      body.set(clientIdName, clientId)
      body.set('client_secret', await secret())
    }
  const ways: Readonly<Record<OAuthClient['clientAuth'], ClientAuth>> = {
    post: inForm(() => clientSecret),
    // As the providers' own pages write it. RFC 6749 would have both parts encoded first, which those
    // that take Basic alone do not undo.
    basic: (_as, _client, _body, headers) => {
      headers.set('authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
    },
    apple: inForm(() => appleSecret(client, now())),
  }
  return ways[client.clientAuth]
}

/** Apple's secret: a JWT signed with the team's key, here for five minutes. */
async function appleSecret({ clientId, clientSecret, apple }: OAuthClient, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: apple?.keyId ?? '' })
    .setIssuer(apple?.teamId ?? '')
    .setSubject(clientId)
    .setAudience('https://appleid.apple.com')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 300)
    .sign(await importPKCS8(clientSecret, 'ES256'))
}
