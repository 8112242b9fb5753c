import type { ErrorTable } from '@lapwing/http'

/** The service's own error codes; the common ones are in `@lapwing/http`. */
export const errors = {
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
  'upload.too_large': { status: 413, title: 'File too large', detail: 'File is larger than 100 MB.' },
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
} as const satisfies ErrorTable

export type ErrorCode = keyof typeof errors
