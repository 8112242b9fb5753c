import { integer, networks, text, url, type Variable } from './read-env.ts'

/** Variables that several services share, each with one description. */

export const poolEnv = {
  poolSize: integer('DATABASE_POOL', {
    min: 1,
    max: 100,
    about: 'Connections to the database.',
    example: '10',
    fallback: 10,
  }),
}

const internalKey: Variable<Uint8Array> = {
  name: 'INTERNAL_KEY',
  about: 'Secret shared by the gateway and the services, at least 32 characters.',
  example: 'the output of: openssl rand -base64 48',
  parse: value =>
    value.length >= 32
      ? { value: new TextEncoder().encode(value) }
      : { problem: 'must have at least 32 characters' },
}

export const internalKeyEnv = { internalKey }

/** @param about how the service uses Redis */
export function redisEnv(about: string) {
  return {
    redisUrl: url('REDIS_URL', { schemes: ['redis:', 'rediss:'], about, example: 'redis://redis:6379' }),
  }
}

/** Returns the variable with the address of another service, such as `INGEST_URL`. */
export function serviceUrl(name: string, about: string, example: string): Variable<URL> {
  return url(name, { schemes: ['http:', 'https:'], about, example })
}

/** Trusts every private network by default, because the gateway is in one of them. */
export const gatewayProxiesEnv = {
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Addresses of the gateway, whose X-Forwarded-For is trusted.',
    example: '10.1.2.0/24,fd00::/8',
    fallback: [
      '127.0.0.0/8',
      '::1',
      '10.0.0.0/8',
      // Pods of some clouds have addresses of the shared space (RFC 6598).
      '100.64.0.0/10',
      '172.16.0.0/12',
      '192.168.0.0/16',
      'fc00::/7',
    ],
  }),
}

export const tempDirEnv = {
  tempDir: text('TMPDIR', {
    about: 'Folder in which the process creates its own private folder for temporary files.',
    example: '/var/tmp',
    fallback: '/tmp',
  }),
}
