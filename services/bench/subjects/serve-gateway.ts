/**
 * The gateway in front of the preview service and of the copying one, each with the same row of its
 * table but for the name. Arguments: their addresses.
 */
import { buildApp, type Deps } from '@lapwing/gateway/src/app.ts'
import { loadConfig } from '@lapwing/gateway/src/config.ts'
import { type Route, routes } from '@lapwing/gateway/src/routes.ts'
import { openUpstream } from '@lapwing/gateway/src/upstream.ts'
import { createLogger } from '@lapwing/http'
import { tellUrl } from './tell-url.ts'

const [previewUrl = '', copyUrl = ''] = process.argv.slice(2)

const row = routes.find(route => route.prefix === '/v1/preview')!
const preview: Route = { ...row, rateLimit: { ...row.rateLimit, max: 100_000 } }
const copy = { ...preview, prefix: '/v1/copy', upstream: 'copy' } as unknown as Route
const upstreams = { preview: openUpstream(new URL(previewUrl)), copy: openUpstream(new URL(copyUrl)) }

const app = await buildApp({
  config: loadConfig({}),
  logger: createLogger('gateway', 'warn'),
  upstreams: upstreams as unknown as Deps['upstreams'],
  routes: [preview, copy],
})
await app.listen({ host: '127.0.0.1', port: 0 })
tellUrl(app.server, () => app.close())
