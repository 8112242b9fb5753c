import type { SeriesName } from './preview.ts'

/** The channel of the file for each series of a preview. */
export const PREVIEW_CHANNELS = {
  lat: 'Lat',
  lon: 'Lon',
  lapDist: 'LapDist',
  lapDistPct: 'LapDistPct',
  alt: 'Alt',
  throttle: 'Throttle',
  brake: 'Brake',
  gear: 'Gear',
  rpm: 'RPM',
  steeringWheelAngle: 'SteeringWheelAngle',
  speed: 'Speed',
  sessionTime: 'SessionTime',
} as const satisfies Readonly<Record<SeriesName, string>>
