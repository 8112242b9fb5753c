import { createHash } from 'node:crypto'
import { matchesTag } from '@lapwing/http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An entity tag made of the content alone, so that every replica and every rebuild of the same
 * bytes gives the same one. Weak, because the compressed forms of a file share it.
 */
export function contentTag(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Answers 304 and true when the client has that content already (RFC 9110 section 13.1.2). */
export function answerFresh(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  if (!matchesTag(request.headers['if-none-match'], tag)) return false
  reply.code(304).send()
  return true
}
