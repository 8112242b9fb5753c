import type { ErrorTable } from '@lapwing/http'

/** Every code this service answers; `errors.test.ts` holds it against the contract, both ways. */
export const errors = {
  'upload.bad_request': {
    status: 400,
    title: 'Bad request',
    detail: 'The request does not fit the contract.',
  },
  'upload.unauthorized': {
    status: 401,
    title: 'Not signed in',
    detail: 'Session expired. Please sign in again.',
  },
  'upload.not_found': { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  'upload.method_not_allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not answer that method.',
  },
  'upload.not_posted': {
    status: 409,
    title: 'Not there yet',
    detail: 'The file has not arrived in the store. Please send it again.',
  },
  'upload.expired': {
    status: 410,
    title: 'Expired',
    detail:
      'This upload took too long or its file has made room for newer ones. Please choose the file again.',
  },
  'upload.body_too_large': {
    status: 413,
    title: 'Body too large',
    detail: 'The request is larger than any valid one.',
  },
  'upload.too_large': { status: 413, title: 'File too large', detail: 'File is larger than 100 MB.' },
  'upload.unsupported_media_type': { status: 415, title: 'Unsupported media type', detail: 'Send JSON.' },
  'upload.wrong_type': {
    status: 415,
    title: 'Wrong type of file',
    detail: 'Only .ibt files are supported.',
  },
  'upload.empty': {
    status: 422,
    title: 'Empty file',
    detail: 'This file is empty. iRacing may have stopped before it wrote anything.',
  },
  'upload.size_differs': {
    status: 422,
    title: 'Another size',
    detail: 'What arrived in the store is not as large as the file. Please send it again.',
  },
  'upload.not_telemetry': {
    status: 422,
    title: 'No telemetry',
    detail: 'This file cannot be read as iRacing telemetry.',
  },
  'upload.too_many_open': {
    status: 429,
    title: 'Too many uploads',
    detail: 'You have many uploads under way. Please let them finish, or wait a few minutes.',
  },
  'upload.rate_limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests. Please wait a moment.',
  },
  'upload.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Uploads cannot be taken at the moment. Please try again.',
  },
  'upload.store_unavailable': {
    status: 503,
    title: 'No file store',
    detail: 'Files cannot be stored at the moment. Please try again in a minute.',
  },
  'upload.failed': {
    status: 500,
    title: 'Error',
    detail: 'Something went wrong on our side. Please try again.',
  },
} as const satisfies ErrorTable

export type ErrorCode = keyof typeof errors
