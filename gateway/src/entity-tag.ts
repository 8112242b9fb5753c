import { createHash } from 'node:crypto'
import { matchesTag } from '@lapwing/http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Returns an entity tag of the content alone. All replicas and rebuilds of the same bytes have the same tag.
 * It is weak, because the compressed forms of a file share it.
 */
export function contentTag(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Replies with 304 and returns true if the client has that content already (RFC 9110 section 13.1.2). */
export function replyNotModified(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  if (!matchesTag(request.headers['if-none-match'], tag)) return false
  reply.code(304).send()
  return true
}
