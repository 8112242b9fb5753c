import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientVersion, clientVersions, widgetScript } from './client-page.ts'

/** A site of another origin with the provider's own widget, unchanged, in both versions. */
export interface OfficialSite {
  readonly origin: string
  /** Sets what returns Lapwing's address once the tests run. */
  readonly pointAt: (lapwingUrl: () => string) => void
  /** Returns the page with the widget. It also finishes links and visits to providers. */
  readonly pageOf: (version: ClientVersion, config: object, mount?: Mount) => string
  readonly close: () => Promise<void>
}

/** The login, the setup of a passkey, or the question of a connected app. */
type Mount = 'login' | 'passkey' | 'idp'

export function serveOfficialSite(): OfficialSite {
  let lapwing = () => ''
  const scripts = new Map<ClientVersion, Promise<string>>()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const version = clientVersions.find(name => pathname.startsWith(`/${name}`)) ?? 'v6'
    if (pathname.endsWith('/client.js')) {
      const script = scripts.get(version) ?? widgetScript[version]()
      scripts.set(version, script)
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(await script)
    } else if (pathname.endsWith('/page.js')) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(pageScript(lapwing()))
    } else {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(lapwing()),
      }
      response.writeHead(200, headers).end(pageHtml(version))
    }
  })
  // Without a host the port is known immediately, as the variables of the stack need it.
  server.listen(0)
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    pointAt(url) {
      lapwing = url
    },
    pageOf: (version, config, mount = 'login') =>
      `${origin}/${version}/?${new URLSearchParams({ config: JSON.stringify(config), mount })}`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The page may talk to itself and to Lapwing alone. The widget writes styles into the page. */
function policyOf(lapwingUrl: string): string {
  return `default-src 'none'; script-src 'self'; connect-src ${lapwingUrl}; frame-src ${lapwingUrl}; style-src 'unsafe-inline'; img-src data:`
}

function pageHtml(version: ClientVersion): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><p id="state">starting</p><div id="widget"></div>
<script src="/${version}/client.js"></script><script src="/${version}/page.js" data-version="${version}"></script></body></html>`
}

/** Uses the client's option for other addresses, and shows whether there is a session. */
function pageScript(lapwingUrl: string): string {
  const endpoints = {
    testAPIURL: lapwingUrl,
    liveAPIURL: lapwingUrl,
    dfpBackendURL: lapwingUrl,
    clientsideServicesIframeURL: `${lapwingUrl}/clientside-services/index.html`,
  }
  return `
const isV6 = document.currentScript.dataset.version === 'v6'
const query = new URLSearchParams(location.search)
const state = document.getElementById('state')
const show = text => { state.textContent = text }
const Client = isV6 ? stytch.StytchClient : stytch.StytchUIClient
const client = new Client('public-token-live-lapwing', { endpoints: ${JSON.stringify(endpoints)}, keepSessionAlive: false })
const minutes = { session_duration_minutes: 30 }
const { products = [], ...options } = JSON.parse(query.get('config') ?? '{}')
const config = { products: isV6 ? products.map(name => stytch.Products[name]) : products, sessionOptions: { sessionDurationMinutes: 30 }, ...options }
window.events = []
const callbacks = { onEvent: event => window.events.push(event.type), onError: error => window.events.push('error ' + error.message) }
const elements = { login: 'StytchUI', reset: 'StytchResetPassword', passkey: 'StytchPasskeyRegistration', idp: 'StytchIdentityProvider' }
const methods = { login: 'mountLogin', reset: 'mountResetPassword', passkey: 'mountPasskeyRegistration', idp: 'mountIdentityProvider' }
function mount(what, more = {}) {
  if (!isV6) return client[methods[what]]({ elementId: '#widget', config, callbacks, ...more })
  customElements.define('official-' + what, stytch[elements[what]])
  const element = document.createElement('official-' + what)
  document.getElementById('widget').append(element)
  element.render({ client, config, callbacks, ...more })
}
const showSession = () => show(client.session.getSync() === null ? 'signed out' : 'signed in')
client.session.onChange(showSession)
showSession()
const token = query.get('token')
const kinds = { magic_links: () => client.magicLinks.authenticate(token, minutes), login: () => client.magicLinks.authenticate(token, minutes), oauth: () => client.oauth.authenticate(token, minutes) }
const kind = query.get('stytch_token_type')
if (kind === 'reset_password') mount('reset', { passwordResetToken: token })
else if (kind in kinds) kinds[kind]().catch(error => show(error.message))
else mount(query.get('mount') ?? 'login')
`
}
