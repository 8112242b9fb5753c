import { AppError, syncHook } from '@lapwing/http'
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
export const refuseAmbiguous = syncHook(({ raw }) => {
  let hosts = 0
  for (let index = 0; index < raw.rawHeaders.length; index += 2)
    if (raw.rawHeaders[index]!.toLowerCase() === 'host') hosts++
  const path = raw.url!.split('?', 1)[0]!
  if (raw.httpVersionMajor !== 1 || hosts > 1 || !path.startsWith('/') || ambiguousPath.test(path))
    throw new AppError<GatewayCode>('gateway.bad_request')
})

const ambiguousPath = /\/\/|\\|%(?:2e|2f|5c|00)|\/\.(?:\/|$)|\/\.\.|\.\.\/|#/i
