import type { components } from '@lapwing/contracts/gateway'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { answerFresh, contentTag } from './fresh.ts'

/** `openapi/gateway.yaml`: what one build of the page must know of the deployment it runs in. */
export type PageConfig = components['schemas']['PageConfig']

/** The page finds identity on its own origin unless told otherwise. */
export function pageConfig({
  pagePreview,
  pageMaps,
  version,
  accounts,
}: Pick<Config, 'pagePreview' | 'pageMaps' | 'version' | 'accounts'>): PageConfig {
  return {
    preview: pagePreview,
    maps: pageMaps,
    version,
    identity: accounts && {
      baseUrl: accounts.identityPublicUrl?.origin ?? '',
      publicToken: accounts.publicToken,
    },
  }
}

/** Serves `/config.json`, the same for as long as the process runs. */
export function addPageConfig(app: FastifyInstance, config: PageConfig): void {
  const body = JSON.stringify(config)
  const tag = contentTag(body)
  app.get('/config.json', async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', tag)
    if (answerFresh(request, reply, tag)) return reply
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
