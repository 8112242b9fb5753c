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
import { measureCalls } from './measure-calls.ts'
import { isStoreError, StoreError, toStoreError } from './store-error.ts'

/** Address of a bucket, with its credentials. */
export interface BucketAddress {
  /** URL of the store for this process. */
  readonly endpoint: string
  /** URL of the store for browsers; `endpoint` by default. */
  readonly publicEndpoint?: string | undefined
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface StoreLimits {
  /** Milliseconds to open a connection. */
  readonly connectWithinMs?: number
  /** Milliseconds until one attempt is answered. */
  readonly answerWithinMs?: number
  /** Milliseconds for a call with all its attempts; for `get`, until the first byte can be read. */
  readonly callWithinMs?: number
  /** Milliseconds without a byte after which reading a body fails. */
  readonly stallMs?: number
  /** Attempts in total for a call that fails on the way. */
  readonly attempts?: number
  /** Maximum number of connections; further calls wait for one, within their time. */
  readonly connections?: number
}

/** The facts of an object without its content. */
export interface ObjectFacts {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** As the store writes it, quotes included; changes with every change of the object. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface ObjectContent {
  /** Must be read to its end or destroyed: until then it holds a connection. */
  readonly body: Readable
  /** Bytes of `body`: of the range, if `range` was set. */
  readonly size: number
  readonly etag: string
  readonly type: ContentType
}

/** The headers that describe an object. */
export interface ContentType {
  readonly contentType: string
  readonly contentEncoding?: string
}

export interface GetOptions {
  /** Reads only the object with this ETag; rejects with `changed` if it is another one. */
  readonly ifMatch?: string
  /** First and last byte, both included. */
  readonly range?: readonly [first: number, last: number]
  /** Cancels the call and the body; rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface PostForm {
  /** URL to which the form is posted, as multipart/form-data. */
  readonly url: string
  /** Sent before the file, unchanged. They contain a signature. */
  readonly fields: Readonly<Record<string, string>>
}

/** One bucket. Every call rejects with a `StoreError` and ends in bounded time. */
export interface ObjectStore {
  head(key: string): Promise<ObjectFacts>
  get(key: string, options?: GetOptions): Promise<ObjectContent>
  /**
   * Reads the object with that ETag and size to its end, in parts of about a megabyte. Use it for large
   * objects and a fast reader. Rejects with `changed` if it is another object, with the errors of `take`, and
   * with the signal's reason.
   */
  download(
    key: string,
    wanted: { readonly ifMatch: string; readonly size: number; readonly signal?: AbortSignal },
    take: TakePart,
  ): Promise<void>
  /** Stores bytes from memory; drivers' files arrive by POST. */
  put(key: string, body: Uint8Array, type: ContentType): Promise<{ readonly etag: string }>
  /**
   * Stores a stream of that size and SHA-256 (hexadecimal), in one attempt. The store gets the digest and refuses
   * other bytes. Rejects too if the stream fails.
   */
  putStream(
    key: string,
    body: Readable,
    type: ContentType & { readonly size: number; readonly sha256: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly etag: string }>
  /** Deletes all of them; missing ones count as deleted. */
  delete(keys: readonly string[]): Promise<void>
  /** Returns one page in the order of keys. `next` is the `after` of the following page, null at the end. */
  list(
    prefix: string,
    options?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<{ readonly objects: readonly ObjectFacts[]; readonly next: string | null }>
  /**
   * Returns a form that the store accepts for this key, exactly this many bytes, and this long. Sends no
   * request.
   */
  presignPost(options: {
    readonly key: string
    readonly size: number
    readonly contentType: string
    readonly expiresInS: number
  }): Promise<PostForm>
  /** Resolves if the bucket exists and accepts our credentials. */
  check(): Promise<void>
  close(): void
}

export function createObjectStore(address: BucketAddress & { readonly limits?: StoreLimits }): ObjectStore {
  const { bucket: Bucket } = address
  const limits = { ...defaultLimits, ...address.limits }
  const client = createS3Client(address, limits)
  // Signs with the browsers' URL and never connects.
  const signer = createS3Client({ ...address, endpoint: address.publicEndpoint ?? address.endpoint }, limits)
  const downloads = createDownloads(limits)

  /** Makes a call whose answer the SDK reads to its end. */
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
      const contentType = answer.ContentType ?? 'application/octet-stream'
      const { ContentEncoding: contentEncoding } = answer
      return { body, size, etag, type: { contentType, ...(contentEncoding && { contentEncoding }) } }
    } catch (error) {
      signal?.throwIfAborted()
      throw toStoreError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  function putCommand(
    key: string,
    body: Uint8Array | Readable,
    { contentType, contentEncoding }: ContentType,
    size?: number,
  ): PutObjectCommand {
    return new PutObjectCommand({
      Bucket,
      Key: key,
      Body: body,
      ContentType: contentType,
      ...(contentEncoding === undefined ? {} : { ContentEncoding: contentEncoding }),
      ...(size === undefined ? {} : { ContentLength: size }),
    })
  }

  async function putObject(command: PutObjectCommand, abortSignal: AbortSignal) {
    const { ETag: etag } = await client.send(command, { abortSignal })
    if (etag === undefined) throw new StoreError('unavailable', new Error('no ETag was answered'))
    return { etag }
  }

  return measureCalls({
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
      // The SDK handles errors, and stores that answer differently.
      const object = await get(key, { ifMatch, ...(signal && { signal }) })
      if (object.size !== size) {
        object.body.destroy()
        throw new StoreError('changed', new Error(`it has ${object.size} bytes, not ${size}`))
      }
      for await (const chunk of object.body) await take(chunk)
    },

    put: (key, body, type) => call(abortSignal => putObject(putCommand(key, body, type), abortSignal)),

    putStream(key, body, { size, sha256, signal, ...type }) {
      const command = putCommand(key, body, type, size)
      // The signature names the digest. Else the SDK would have to read the stream before it sends it.
      command.middlewareStack.add(
        next => args => {
          ;(args.request as SentRequest).headers['x-amz-content-sha256'] = sha256
          return next(args)
        },
        { step: 'build' },
      )
      // The SDK would wait for the rest of a stream that fails.
      const broken = new AbortController()
      body.once('error', () => broken.abort())
      const signals = signal === undefined ? [broken.signal] : [broken.signal, signal]
      return call(tooLate => putObject(command, AbortSignal.any([...signals, tooLate])))
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
          throw new StoreError('unavailable', isStoreError(error) ? error.cause : error)
        },
      )
    },

    close() {
      client.destroy()
      signer.destroy()
      downloads.close()
    },
  })
}

const defaultLimits = {
  connectWithinMs: 1_500,
  answerWithinMs: 5_000,
  callWithinMs: 10_000,
  stallMs: 15_000,
  attempts: 3,
  connections: 32,
} as const satisfies Required<StoreLimits>

/** Keys that S3 deletes in one call. */
const DELETED_AT_ONCE = 1000

export function createS3Client(address: BucketAddress, limits: StoreLimits = {}): S3Client {
  const { connectWithinMs, answerWithinMs, attempts, connections } = { ...defaultLimits, ...limits }
  const agent = { keepAlive: true, maxSockets: connections }
  return new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    // Stores other than Amazon's have no host name for each bucket.
    forcePathStyle: true,
    credentials: { accessKeyId: address.accessKeyId, secretAccessKey: address.secretAccessKey },
    maxAttempts: attempts,
    // Some stores do not know the SDK's own checksums, and forms cannot carry them.
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

/** Returns the request that the SDK would send, without sending it. */
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
    // After the step that signs it.
    { step: 'finalizeRequest', priority: 'low' },
  )
  await client.send(command)
  return signed!
}

interface SentRequest {
  readonly protocol: string
  /** An IPv6 address is in brackets. */
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Record<string, string>
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
