import type { components } from '@lapwing/contracts/gateway'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { contentTag, replyNotModified } from './entity-tag.ts'

/** What the page must know of its deployment (`openapi/gateway.yaml`): one build serves all deployments. */
export type PageConfig = components['schemas']['PageConfig']

/** Returns the page's configuration. An empty `baseUrl` means that identity is on the page's own origin. */
export function pageConfig({
  pagePreview,
  pageMaps,
  mapSources,
  version,
  accounts,
}: Pick<Config, 'pagePreview' | 'pageMaps' | 'mapSources' | 'version' | 'accounts'>): PageConfig {
  return {
    preview: pagePreview,
    maps: pageMaps,
    mapSources,
    version,
    identity: accounts && {
      baseUrl: accounts.identityPublicUrl?.origin ?? '',
      publicToken: accounts.publicToken,
    },
  }
}

/** Serves `/config.json`. It does not change while the process runs. */
export function addPageConfig(app: FastifyInstance, config: PageConfig): void {
  const body = JSON.stringify(config)
  const tag = contentTag(body)
  app.get('/config.json', async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', tag)
    if (replyNotModified(request, reply, tag)) return reply
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
