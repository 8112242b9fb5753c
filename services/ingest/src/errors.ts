import type { ErrorTable } from '@lapwing/http'

/** The service's own error codes; the common ones are in `@lapwing/http`. */
export const errors = {
  'ingest.upload_not_found': {
    status: 404,
    title: 'Upload not found',
    detail: 'This upload is not there. Please upload the file again.',
  },
  'ingest.not_completed': {
    status: 409,
    title: 'Upload not completed',
    detail: 'The file has not been uploaded completely yet.',
  },
  'ingest.file_replaced': {
    status: 409,
    title: 'File replaced',
    detail: 'The uploaded file was changed after it was checked. Please upload it again.',
  },
  'ingest.unreadable': {
    status: 422,
    title: 'File not readable',
    detail: 'This file cannot be read as telemetry.',
  },
  'ingest.unidentified': {
    status: 422,
    title: 'Track or car unknown',
    detail: 'This file does not say on which track or in which car it was driven, so its laps have no board.',
  },
  'ingest.driven_elsewhere': {
    status: 422,
    title: 'Driven elsewhere',
    detail: 'The laps of this file were not driven on the track that it names, so they have no board.',
  },
  'ingest.place_unknown': {
    status: 422,
    title: 'Place unknown',
    detail: 'This file does not say where it was driven, so its laps have no board.',
  },
  'upload.belongs_to_another_driver': {
    status: 409,
    title: 'Of another driver',
    detail: 'This file belongs to another driver’s account, so its laps cannot be saved to yours.',
  },
  'upload.duplicate_lap': {
    status: 409,
    title: 'Lap of another account',
    detail:
      'Another account has saved a lap of this file already, so the file was not saved. A moderator will look at it.',
  },
  'ingest.lap_not_found': { status: 404, title: 'Lap not found', detail: 'There is no such lap.' },
  'ingest.corners_not_found': {
    status: 404,
    title: 'Corners not found',
    detail: 'The corners of this track are not known yet.',
  },
  'ingest.number_stays': {
    status: 409,
    title: 'Number stays bound',
    detail: 'This driver number cannot be unbound any more. Please ask a moderator if it is not yours.',
  },
  'ingest.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Laps cannot be reached at the moment. Please try again.',
  },
  'ingest.store_unavailable': {
    status: 503,
    title: 'Files unavailable',
    detail: 'Uploaded files cannot be reached at the moment. Please try again.',
  },
} as const satisfies ErrorTable

/** Codes with which an ingest can fail. */
export type ErrorCode = keyof typeof errors | 'ingest.failed'
