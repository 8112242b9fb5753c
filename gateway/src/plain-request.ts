import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { GatewayCode } from './errors.ts'

/**
 * Rejects requests that two servers could read in two ways, because they could pass a rule of one of them:
 *
 * - HTTP before 1.0, and more than one `Host`;
 * - addresses with dot segments, segments that begin or end like one (`..;`), or empty segments;
 * - addresses with an encoded slash, backslash, dot or NUL.
 *
 * No address of Lapwing has such a form.
 */
export async function refuseAmbiguous({ raw }: FastifyRequest): Promise<void> {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  const path = raw.url!.split('?', 1)[0]!
  if (raw.httpVersionMajor !== 1 || hosts.length > 1 || !path.startsWith('/') || ambiguousPath.test(path))
    throw new AppError<GatewayCode>('gateway.bad_request')
}

const ambiguousPath = /\/\/|\\|%(?:2e|2f|5c|00)|\/\.(?:\/|$)|\/\.\.|\.\.\/|#/i
