import { importPKCS8, SignJWT } from 'jose'
import { type ClientAuth, ClientSecretBasic } from 'oauth4webapi'
import type { RemoteClient } from './config.ts'

/** Returns the method by which Lapwing authenticates as a client of a provider. */
export function clientAuth(client: RemoteClient, now: () => Date): ClientAuth {
  const { clientId, clientIdName = 'client_id', clientSecret } = client
  const inForm =
    (secret: () => string | Promise<string>): ClientAuth =>
    async (_as, _client, body) => {
      body.set(clientIdName, clientId)
      body.set('client_secret', await secret())
    }
  if (client.clientAuth === 'encoded-basic') return ClientSecretBasic(clientSecret)
  if (client.clientAuth === 'apple') return inForm(() => appleSecret(client, now()))
  if (client.clientAuth !== 'basic') return inForm(() => clientSecret)
  // As in the providers' documentation. RFC 6749 encodes both parts first, but providers that accept
  // only Basic do not decode them.
  return (_as, _client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
  }
}

/** Returns Apple's secret: a JWT of five minutes, signed with the team's key. */
async function appleSecret({ clientId, clientSecret, apple }: RemoteClient, now: Date): Promise<string> {
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
