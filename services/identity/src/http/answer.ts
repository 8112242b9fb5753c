import type { FastifyRequest } from 'fastify'

/** Wraps a successful answer in the protocol's envelope. */
export function answer<Data extends object>(request: FastifyRequest, data: Data) {
  return { data: { request_id: request.id, status_code: 200, ...data } }
}
