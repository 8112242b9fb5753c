import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer on this machine, which an operator of identity can trust. */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    keysUrl: `${url}/keys`,
    /** Returns a token about a new person. */
    sign: (audience: string): Promise<string> =>
      new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(randomUUID())
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime('5 minutes')
        .sign(privateKey),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
