import type { ErrorTable } from '@lapwing/http'

/** The service's own error codes; the common ones are in `@lapwing/http`. */
export const errors = {
  'preview.too_large': {
    status: 413,
    title: 'File too large',
    detail: 'File is larger than 100 MB.',
  },
  'preview.wrong_type': {
    status: 415,
    title: 'Wrong type of file',
    detail: 'Only .ibt files are supported.',
  },
  'preview.unsupported_media_type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the file as multipart/form-data in a field named file.',
  },
  'preview.no_file': {
    status: 400,
    title: 'No file',
    detail: 'The form holds no file. Send it in a field named file.',
  },
  'preview.more_than_one_file': {
    status: 400,
    title: 'More than one file',
    detail: 'Please send one file at a time.',
  },
  'preview.bad_form': {
    status: 400,
    title: 'Broken form',
    detail: 'The upload is broken or incomplete. Please try again.',
  },
  'preview.upload_stalled': {
    status: 408,
    title: 'Upload stalled',
    detail: 'The file stopped arriving. Please check your connection and try again.',
  },
  'preview.unreadable': {
    status: 422,
    title: 'Unreadable file',
    detail: 'This file cannot be read as iRacing telemetry.',
  },
  'preview.rate_limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'You have sent many files in a short time. Please wait a minute and try again.',
  },
  'preview.failed': {
    status: 500,
    title: 'Preview failed',
    // The fallback message of the specification's error catalogue.
    detail: 'Preview failed',
  },
  'preview.busy': {
    status: 503,
    title: 'Busy',
    detail: 'Many files are being read right now. Please try again in a moment.',
  },
} as const satisfies ErrorTable

export type PreviewErrorCode = keyof typeof errors
