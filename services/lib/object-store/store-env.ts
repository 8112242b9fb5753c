import { optional, text, url } from '@lapwing/config'
import type { BucketAddress } from './object-store.ts'

/** The configuration variables of every process that uses the store; `bucketAddress` converts them. */
export const storeEnv = {
  s3Endpoint: url('S3_ENDPOINT', {
    schemes: ['http:', 'https:'],
    about: 'The object store, as this process reaches it.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  }),
  s3PublicEndpoint: optional(
    url('S3_PUBLIC_ENDPOINT', {
      schemes: ['http:', 'https:'],
      about: 'The object store, as browsers reach it; S3_ENDPOINT when left out.',
      example: 'https://files.lapwing.example',
    }),
  ),
  s3Bucket: text('S3_BUCKET', { about: 'The bucket of this installation.', example: 'lapwing' }),
  s3Region: text('S3_REGION', {
    about: 'Region of the bucket, part of every signature.',
    example: 'eu-central-1',
    fallback: 'us-east-1',
  }),
  s3AccessKeyId: text('S3_ACCESS_KEY_ID', { about: 'Name of the key for the store.', example: 'lapwing' }),
  s3SecretAccessKey: text('S3_SECRET_ACCESS_KEY', {
    about: 'The key for the store.',
    example: 'the output of: openssl rand -base64 30',
  }),
}

/** Returns the variables of `storeEnv` as `createObjectStore` needs them. */
export function bucketAddress(config: {
  readonly s3Endpoint: URL
  readonly s3PublicEndpoint: URL | null
  readonly s3Bucket: string
  readonly s3Region: string
  readonly s3AccessKeyId: string
  readonly s3SecretAccessKey: string
}): BucketAddress {
  return {
    endpoint: config.s3Endpoint.href,
    publicEndpoint: config.s3PublicEndpoint?.href,
    bucket: config.s3Bucket,
    region: config.s3Region,
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  }
}
