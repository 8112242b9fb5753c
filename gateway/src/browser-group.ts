import { createHash } from 'node:crypto'
import { BROWSER_COOKIE, BROWSER_SECRET } from '@lapwing/auth'
import type { FastifyRequest } from 'fastify'

/** Few, so that made-up cookies of one network add few counts, and many more do not reach identity. */
const GROUPS = 16

/**
 * Returns the group, 0 to 15, of the browser that sent a request; null without a well-formed cookie. The
 * gateway cannot know whether identity set the cookie. Others on the network cannot know the browser's group.
 */
export function browserGroup(request: FastifyRequest): number | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    if (name.replace(/^__Host-/, '') !== BROWSER_COOKIE || !BROWSER_SECRET.test(value)) continue
    return createHash('sha256').update(value).digest()[0]! % GROUPS
  }
  return null
}
