/** Runs a proxy of the gateway's libraries without any of its policies. Argument: the server's address. */
import replyFrom, { type FastifyReplyFromOptions } from '@fastify/reply-from'
import { openUpstream } from '@lapwing/gateway/src/upstream.ts'
import fastify from 'fastify'
import { notifyUrl } from './notify-url.ts'

const [answerUrl = ''] = process.argv.slice(2)

const upstream = openUpstream('bare', new URL(answerUrl))
const app = fastify()
await app.register(replyFrom, {
  base: upstream.origin,
  undici: upstream.dispatcher as NonNullable<FastifyReplyFromOptions['undici']>,
  disableRequestLogging: true,
})
app.get('/*', (request, reply) => reply.from(request.url))
await app.listen({ host: '127.0.0.1', port: 0 })
notifyUrl(app.server, () => process.exit(0))
