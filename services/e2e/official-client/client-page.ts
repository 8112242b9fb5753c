import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'vite'

/** The two major versions of the official browser client that identity supports. */
export const clientVersions = ['v5', 'v6'] as const
export type ClientVersion = (typeof clientVersions)[number]

/**
 * Serves one page, at every path, that loads the official client unchanged. The page creates `window.client`
 * and points it at identity with the client's own `endpoints` option.
 */
export async function serveClientPage(version: ClientVersion): Promise<ClientPage> {
  const script = await clientScript[version]()
  let html = ''
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === '/client.js' ? ['text/javascript', script] : ['text/html; charset=utf-8', html]
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    pointAt(identityUrl, publicToken) {
      html = pageHtml(identityUrl, publicToken)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export interface ClientPage {
  readonly origin: string
  /** Sets the service's address before the page is opened; it is known later than the page's. */
  readonly pointAt: (identityUrl: string, publicToken: string) => void
  readonly close: () => Promise<void>
}

/** Both scripts define a global `stytch`. */
export const clientScript: Readonly<Record<ClientVersion, () => Promise<string>>> = {
  // Published only for bundlers.
  v5: () => bundle(besideEntry('stytch-v5', 'index.headless.esm.js')),
  v6: async () => readFileSync(besideEntry('stytch-v6', '../iife/index.headless.js'), 'utf8'),
}

/** The client with its widget. Both define a global `stytch`, too. */
export const widgetScript: Readonly<Record<ClientVersion, () => Promise<string>>> = {
  v5: () => bundle(besideEntry('stytch-v5', 'index.esm.js')),
  v6: async () => readFileSync(besideEntry('stytch-v6', '../iife/index.js'), 'utf8'),
}

async function bundle(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-client-'))
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: folder,
        minify: false,
        lib: {
          entry,
          name: 'stytch',
          formats: ['iife'],
          fileName: () => 'client.js',
        },
      },
    })
    return readFileSync(join(folder, 'client.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the path of a file in the client's package, relative to its entry. */
function besideEntry(packageName: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(packageName)), file)
}

/** Uses an undocumented option of the client for a service at any address. */
function pageHtml(identityUrl: string, publicToken: string): string {
  const endpoints = {
    testAPIURL: identityUrl,
    liveAPIURL: identityUrl,
    dfpBackendURL: identityUrl,
    clientsideServicesIframeURL: `${identityUrl}/no-frame`,
  }
  return clientHtml(publicToken, { endpoints })
}

/** With `?keep` the client keeps the session alive. */
export function clientHtml(publicToken: string, options: object): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Client</title><link rel="icon" href="data:,"></head>
  <body>
    <script src="/client.js"></script>
    <script>
      window.client = new stytch.StytchHeadlessClient(${JSON.stringify(publicToken)}, {
        ...${JSON.stringify(options)},
        keepSessionAlive: new URLSearchParams(location.search).has('keep'),
      })
    </script>
  </body>
</html>`
}
