import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from '@lapwing/testing/self-signed.ts'
import { type ClientVersion, clientHtml, clientScript } from './client-page.ts'

/** A site of two hosts over TLS, as in a deployment: the page with the official client, and identity. */
export interface TlsSite {
  readonly pageOrigin: string
  /** Chromium's flag that resolves the site's names to this machine. */
  readonly browserFlag: string
  /** Sets identity's real address and the project's token. */
  readonly pointAt: (identityUrl: string, publicToken: string) => void
  readonly close: () => Promise<void>
}

const pageHost = 'app.lapwing.test'
const identityHost = 'id.lapwing.test'

export async function serveTlsSite(version: ClientVersion): Promise<TlsSite> {
  const script = await clientScript[version]()
  let html = ''
  let identityUrl = ''
  const server = createServer(selfSigned('lapwing.test'), (incoming, outgoing) => {
    if (incoming.headers.host === identityHost) return passOn(identityUrl, incoming, outgoing)
    const [type, body] =
      incoming.url === '/client.js' ? ['text/javascript', script] : ['text/html; charset=utf-8', html]
    outgoing.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    pageOrigin: `https://${pageHost}`,
    browserFlag: `--host-resolver-rules=MAP *.lapwing.test:443 127.0.0.1:${port}`,
    pointAt(url, publicToken) {
      identityUrl = url
      // The client's own option for a custom host: https and a name only.
      html = clientHtml(publicToken, { customBaseUrl: identityHost })
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url = '/', headers } = incoming
  const call = request(new URL(url, target), { method, headers }, answer => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  call.on('error', () => outgoing.destroy())
  incoming.pipe(call)
}
