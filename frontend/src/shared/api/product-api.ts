import { createApiFetch } from './api-fetch.ts'
import { newRequestId } from './request-id.ts'

/** The `fetch` of the running page for everything under `/api`. */
export const apiFetch = createApiFetch({
  fetch: (input, init) => globalThis.fetch(input, init),
  newRequestId,
})
