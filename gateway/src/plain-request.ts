import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { GatewayCode } from './errors.ts'

/**
 * Refuses requests that two servers could read in two ways: HTTP before 1.0, more than one `Host`,
 * and addresses with dot segments, segments that begin or end like one (`..;`), empty segments, or an
 * encoded slash, backslash, dot or NUL. Nothing of Lapwing's is addressed like that, and what is read in
 * one way only cannot slip past a rule.
 */
export async function refuseAmbiguous({ raw }: FastifyRequest): Promise<void> {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  const path = raw.url!.split('?', 1)[0]!
  if (raw.httpVersionMajor !== 1 || hosts.length > 1 || !path.startsWith('/') || ambiguousPath.test(path))
    throw new AppError<GatewayCode>('gateway.bad_request')
}

const ambiguousPath = /\/\/|\\|%(?:2e|2f|5c|00)|\/\.(?:\/|$)|\/\.\.|\.\.\/|#/i
