import { CreateBucketCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3'
import { type BucketAddress, createS3Client } from './object-store.ts'
import { toStoreError } from './store-error.ts'

/**
 * Makes the bucket where it is not there yet, and lets pages of `origins` post forms to it. For an
 * installation that brings its own store this is done once by its operator; harmless when run again.
 */
export async function prepareBucket(
  address: BucketAddress,
  { origins }: { readonly origins: readonly string[] },
): Promise<void> {
  const client = createS3Client(address)
  const Bucket = address.bucket
  try {
    await client.send(new CreateBucketCommand({ Bucket })).catch((error: Error) => {
      if (error.name !== 'BucketAlreadyOwnedByYou') throw error
    })
    if (origins.length === 0) return
    await client.send(
      new PutBucketCorsCommand({
        Bucket,
        CORSConfiguration: {
          CORSRules: [
            {
              AllowedOrigins: [...origins],
              AllowedMethods: ['POST'],
              AllowedHeaders: ['*'],
              ExposeHeaders: ['ETag'],
              MaxAgeSeconds: 3600,
            },
          ],
        },
      }),
    )
  } catch (error) {
    throw toStoreError(error)
  } finally {
    client.destroy()
  }
}
