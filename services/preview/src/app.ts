import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/preview'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { AppError, addHealth, allowOnly, createApp } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { clientKey } from './client-key.ts'
import type { Deps } from './deps.ts'
import { errors } from './errors.ts'
import { createPreview } from './previews/create-preview.ts'
import { MAX_FILE_BYTES, MAX_FORM_BYTES } from './previews/receive-file.ts'
import { createUploadSlots } from './previews/upload-slots.ts'

/** The service as a Fastify instance that does not listen yet; closing it closes `deps`. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config, files, pool } = deps
  const app = createApp({
    service: 'preview',
    errors,
    logger: quiet(deps.logger),
    trustProxy: [...config.trustedProxies],
    // A back-stop for what `receiveFile` cuts itself, and can still answer.
    requestTimeoutMs: config.uploadTotalMs + 30_000,
    // Whoever sends a file that could be taken may finish with it before it reads the answer.
    rest: { maxBytes: MAX_FILE_BYTES + MAX_FORM_BYTES, maxMs: 30_000 },
  })
  // A JSON or text body would otherwise be read before it is refused.
  app.removeAllContentTypeParsers()
  await app.register(multipart, { throwFileSizeLimit: false })
  await app.register(rateLimit, { global: false, addHeaders: noHeaders, addHeadersOnExceeding: noHeaders })

  addHealth(app, { workers: () => pool.isAlive(), disk: files.isWritable })
  const handlers: Handlers<operations> = {
    createPreview: createPreview({ files, pool, slots: createUploadSlots(config.maxUploads), config }),
  }
  bindContract(app, contract, handlers, {
    routes: { createPreview: { onRequest: limitRate(app, config.rateLimitPerMinute) } },
    onAddress: (url, methods) => allowOnly(app, 'preview', url, methods),
  })

  app.addHook('onClose', async () => {
    await pool.close()
    await files.remove()
  })
  return app
}

/** One limiter for all of an operation's addresses: the older address is no second helping. */
function limitRate(app: FastifyInstance, perMinute: number) {
  return app.rateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: clientKey,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('preview.rate_limited', {
        headers: { 'retry-after': String(Math.max(1, Math.ceil(ttl / 1000))) },
      }),
  })
}

/** The contract promises `Retry-After` alone, and `errorResponseBuilder` sets it. */
const noHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

/** At the level `trace` the form parser logs the request's headers, which hold the address of the person. */
function quiet(logger: Deps['logger']): Deps['logger'] {
  return logger.child({}, { serializers: { busboyOptions: () => 'not logged' } }) as Deps['logger']
}
