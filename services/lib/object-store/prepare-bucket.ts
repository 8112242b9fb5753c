import { CreateBucketCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3'
import { type BucketAddress, createS3Client } from './object-store.ts'
import { toStoreError } from './store-error.ts'

/**
 * Creates the bucket if it does not exist, and lets pages of `origins` post forms to it. With an external
 * store, the operator does this once. Safe to repeat.
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
