import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { createDownloads, type DownloadRequest, type TakePart } from './download.ts'
import { guardedBody } from './guarded-body.ts'
import { StoreError, toStoreError } from './store-error.ts'

/** Where a bucket is, and how one is let in. */
export interface BucketAddress {
  /** Address by which this process reaches the store. */
  readonly endpoint: string
  /** Address by which browsers reach it; the same when left out. */
  readonly publicEndpoint?: string | undefined
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface StoreLimits {
  /** Milliseconds for a connection to stand. */
  readonly connectWithinMs?: number
  /** Milliseconds for one attempt to be answered. */
  readonly answerWithinMs?: number
  /** Milliseconds for a call with all its attempts; for `get`, until the first byte can be read. */
  readonly callWithinMs?: number
  /** Milliseconds without a byte after which a body that is being read is given up. */
  readonly stallMs?: number
  /** How often a call that failed on the way is tried in all. */
  readonly attempts?: number
  /** Connections at most; further calls wait for one, within their time. */
  readonly connections?: number
}

/** What is known of an object without reading it. */
export interface ObjectFacts {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** As the store writes it, quotes included; another one after every change of the object. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface ObjectContent {
  /** Must be read to its end or destroyed: until then it holds a connection. */
  readonly body: Readable
  /** Bytes of `body`, which is the range where one was asked for. */
  readonly size: number
  readonly etag: string
}

export interface GetOptions {
  /** Only the object with this ETag; `changed` when it is another one by now. */
  readonly ifMatch?: string
  /** First and last byte, both included. */
  readonly range?: readonly [first: number, last: number]
  /** Gives the call and the body up; rejects with the signal's own reason. */
  readonly signal?: AbortSignal
}

export interface PostForm {
  /** Where the form is posted to, as multipart/form-data. */
  readonly url: string
  /** To be sent before the file, as they are. They hold a signature. */
  readonly fields: Readonly<Record<string, string>>
}

/** One bucket. Every call rejects with a `StoreError` and ends in bounded time. */
export interface ObjectStore {
  head(key: string): Promise<ObjectFacts>
  get(key: string, options?: GetOptions): Promise<ObjectContent>
  /**
   * Reads the object with that ETag and of that size to its end, in parts of about a megabyte: the way for
   * large ones that somebody keeps up with. `changed` where it is another one. Rejects with what `take`
   * rejects with, and with the signal's own reason.
   */
  download(
    key: string,
    wanted: { readonly ifMatch: string; readonly size: number; readonly signal?: AbortSignal },
    take: TakePart,
  ): Promise<void>
  /** For what was made in memory; the files of drivers come by post. */
  put(
    key: string,
    body: Uint8Array,
    type: { readonly contentType: string; readonly contentEncoding?: string },
  ): Promise<{ readonly etag: string }>
  /** Deletes all of them; those that are not there count as deleted. */
  delete(keys: readonly string[]): Promise<void>
  /** One page in the order of keys; `next` is what to list after for the following one, null at the end. */
  list(
    prefix: string,
    options?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<{ readonly objects: readonly ObjectFacts[]; readonly next: string | null }>
  /** A form that the store takes for this key, exactly this many bytes, and this long. Asks nobody. */
  presignPost(options: {
    readonly key: string
    readonly size: number
    readonly contentType: string
    readonly expiresInS: number
  }): Promise<PostForm>
  /** Resolves when the bucket is there and lets us in. */
  check(): Promise<void>
  close(): void
}

export function createObjectStore(address: BucketAddress & { readonly limits?: StoreLimits }): ObjectStore {
  const { bucket: Bucket } = address
  const limits = { ...defaultLimits, ...address.limits }
  const client = createS3Client(address, limits)
  // Signs with the address that browsers use and never connects.
  const signer = createS3Client({ ...address, endpoint: address.publicEndpoint ?? address.endpoint }, limits)
  const downloads = createDownloads(limits)

  /** A call whose answer is read to its end by the SDK. */
  async function call<Answer>(send: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    try {
      return await send(AbortSignal.timeout(limits.callWithinMs))
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async function get(key: string, { ifMatch, range, signal }: GetOptions = {}): Promise<ObjectContent> {
    signal?.throwIfAborted()
    const tooLate = new AbortController()
    const timer = setTimeout(() => tooLate.abort(), limits.callWithinMs)
    const abortSignal = signal === undefined ? tooLate.signal : AbortSignal.any([signal, tooLate.signal])
    try {
      const answer = await client.send(
        new GetObjectCommand({
          Bucket,
          Key: key,
          ...(ifMatch === undefined ? {} : { IfMatch: ifMatch }),
          ...(range === undefined ? {} : { Range: `bytes=${range[0]}-${range[1]}` }),
        }),
        { abortSignal },
      )
      const { size, etag } = facts(key, answer.ContentLength, answer.ETag, answer.LastModified)
      const body = guardedBody(answer.Body as Readable, { stallMs: limits.stallMs, signal })
      return { body, size, etag }
    } catch (error) {
      signal?.throwIfAborted()
      throw toStoreError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async head(key) {
      const answer = await call(abortSignal =>
        client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal }),
      )
      return facts(key, answer.ContentLength, answer.ETag, answer.LastModified)
    },

    get,

    async download(key, { ifMatch, size, signal }, take) {
      const request = await signedRequest(
        client,
        new GetObjectCommand({ Bucket, Key: key, IfMatch: ifMatch }),
      )
      if (await downloads.get(request, size, take, signal)) return
      // Errors, and stores that answer in other ways, are the SDK's business.
      const object = await get(key, { ifMatch, ...(signal && { signal }) })
      if (object.size !== size) {
        object.body.destroy()
        throw new StoreError('changed', new Error(`it has ${object.size} bytes, not ${size}`))
      }
      for await (const chunk of object.body) await take(chunk)
    },

    async put(key, body, { contentType, contentEncoding }) {
      const answer = await call(abortSignal =>
        client.send(
          new PutObjectCommand({
            Bucket,
            Key: key,
            Body: body,
            ContentType: contentType,
            ...(contentEncoding === undefined ? {} : { ContentEncoding: contentEncoding }),
          }),
          { abortSignal },
        ),
      )
      if (answer.ETag === undefined) throw new StoreError('unavailable', new Error('no ETag was answered'))
      return { etag: answer.ETag }
    },

    async delete(keys) {
      for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
        const Objects = keys.slice(at, at + DELETED_AT_ONCE).map(Key => ({ Key }))
        const { Errors = [] } = await call(abortSignal =>
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }), {
            abortSignal,
          }),
        )
        const failed = Errors.find(({ Code }) => Code !== 'NoSuchKey')
        if (failed !== undefined) throw new StoreError('unavailable', new Error(`${failed.Code} for a key`))
      }
    },

    async list(prefix, { after, limit = 1000 } = {}) {
      const answer = await call(abortSignal =>
        client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            MaxKeys: limit,
            ...(after === undefined ? {} : { StartAfter: after }),
          }),
          { abortSignal },
        ),
      )
      const objects = (answer.Contents ?? []).map(({ Key, Size, ETag, LastModified }) =>
        facts(Key, Size, ETag, LastModified),
      )
      return { objects, next: answer.IsTruncated ? (objects.at(-1)?.key ?? null) : null }
    },

    async presignPost({ key, size, contentType, expiresInS }) {
      return createPresignedPost(signer, {
        Bucket,
        Key: key,
        Expires: expiresInS,
        Fields: { 'Content-Type': contentType },
        Conditions: [['content-length-range', size, size]],
      })
    },

    async check() {
      await call(abortSignal => client.send(new HeadBucketCommand({ Bucket }), { abortSignal })).catch(
        (error: unknown) => {
          throw new StoreError('unavailable', error)
        },
      )
    },

    close() {
      client.destroy()
      signer.destroy()
      downloads.close()
    },
  }
}

const defaultLimits = {
  connectWithinMs: 1_500,
  answerWithinMs: 5_000,
  callWithinMs: 10_000,
  stallMs: 15_000,
  attempts: 3,
  connections: 32,
} as const satisfies Required<StoreLimits>

/** What S3 takes in one call. */
const DELETED_AT_ONCE = 1000

export function createS3Client(address: BucketAddress, limits: StoreLimits = {}): S3Client {
  const { connectWithinMs, answerWithinMs, attempts, connections } = { ...defaultLimits, ...limits }
  const agent = { keepAlive: true, maxSockets: connections }
  return new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    // Stores beside Amazon's have no name of their own for each bucket.
    forcePathStyle: true,
    credentials: { accessKeyId: address.accessKeyId, secretAccessKey: address.secretAccessKey },
    maxAttempts: attempts,
    // The SDK's own checksums are unknown to some stores, and forms cannot carry them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectWithinMs,
      requestTimeout: answerWithinMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

/** What the SDK would send; nothing is sent. */
async function signedRequest(client: S3Client, command: GetObjectCommand): Promise<DownloadRequest> {
  let signed: DownloadRequest | null = null
  command.middlewareStack.add(
    () => async args => {
      const { protocol, hostname, port, path, query, headers } = args.request as SentRequest
      signed = {
        origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
        path: `${path}?${new URLSearchParams(query)}`,
        headers,
      }
      return { output: { $metadata: {} }, response: {} }
    },
    // After what signs it.
    { step: 'finalizeRequest', priority: 'low' },
  )
  await client.send(command)
  return signed!
}

interface SentRequest {
  readonly protocol: string
  /** Of a number of IPv6 in brackets. */
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

function facts(
  key: string | undefined,
  size: number | undefined,
  etag: string | undefined,
  modifiedAt: Date | undefined,
): ObjectFacts {
  if (key === undefined || size === undefined || etag === undefined || modifiedAt === undefined) {
    throw new StoreError('unavailable', new Error('the answer lacks size, ETag or date'))
  }
  return { key, size, etag, modifiedAt }
}
