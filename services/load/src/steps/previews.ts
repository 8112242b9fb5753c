import { ask, Failed } from './ask.ts'
import { asDriver, type Driver } from './drivers.ts'
import { writeForm } from './form.ts'
import type { Http } from './http.ts'
import type { Target } from './target.ts'

/** Has a file read by the preview service, packed and compressed, as a browser that cannot parse does. */
export async function preview(http: Http, target: Target, driver: Driver, file: Uint8Array): Promise<void> {
  const { contentType, body } = writeForm({}, file)
  const { headers } = asDriver(driver)
  const answer = await ask(
    http,
    {
      name: 'preview',
      method: 'POST',
      url: `${target.url}/api/v1/preview`,
      headers: {
        ...headers,
        'content-type': contentType,
        accept: 'application/x-protobuf',
        'accept-encoding': 'gzip',
      },
      body,
      withinMs: PREVIEW_WITHIN_MS,
    },
    200,
  )
  if (answer.header('content-type') !== 'application/x-protobuf' || answer.bytes === 0) {
    throw new Failed('preview', 'has no packed columns')
  }
}

/** The gateway waits this long itself. */
const PREVIEW_WITHIN_MS = 75_000
