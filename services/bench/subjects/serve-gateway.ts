/**
 * Runs the gateway in front of the preview service and of the copying one, without accounts. Both have the
 * same row of its table except for the name. Arguments: their addresses.
 */
import { buildApp, type Deps } from '@lapwing/gateway/src/app.ts'
import { loadConfig } from '@lapwing/gateway/src/config.ts'
import { createDeps } from '@lapwing/gateway/src/deps.ts'
import { type Route, routes } from '@lapwing/gateway/src/routes.ts'
import { openUpstream } from '@lapwing/gateway/src/upstream.ts'
import { createLogger } from '@lapwing/http'
import { notifyUrl } from './notify-url.ts'

const [previewUrl = '', copyUrl = ''] = process.argv.slice(2)

const row = routes.find(route => route.prefix === '/v1/preview')!
const preview: Route = { ...row, rateLimit: { ...row.rateLimit, max: 100_000 } }
// The table's type knows only the product's services.
const copy = { ...preview, prefix: '/v1/copy', upstream: 'copy' } as unknown as Route

// The benchmark is a trusted proxy, so that no limit of one client affects the measurement.
const config = loadConfig({ PREVIEW_URL: previewUrl, TRUSTED_PROXIES: '127.0.0.1' })
const logger = createLogger('gateway', 'warn')
const deps = createDeps(config, logger)
const upstreams: Deps['upstreams'] & { copy: unknown } = {
  ...deps.upstreams,
  copy: openUpstream('copy', new URL(copyUrl)),
}
const app = await buildApp({ config, logger, ...deps, upstreams, routes: [preview, copy] })
await app.listen({ host: '127.0.0.1', port: 0 })
notifyUrl(app.server, () => app.close())
