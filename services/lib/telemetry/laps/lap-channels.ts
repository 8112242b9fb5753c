type Channels = readonly { readonly name: string; readonly need: 'laps' | 'verdict' | 'more' }[]

/** Sensors of the same motion: see `physics/`. */
export const SENSOR_CHANNELS = [
  { name: 'Alt', need: 'more' },
  { name: 'Yaw', need: 'more' },
  { name: 'YawRate', need: 'more' },
  { name: 'PitchRate', need: 'more' },
  { name: 'Roll', need: 'more' },
  { name: 'LatAccel', need: 'more' },
  { name: 'LongAccel', need: 'more' },
  { name: 'RPM', need: 'more' },
] as const satisfies Channels

/**
 * Channels by which laps are found, timed and judged, and the effect if a file lacks one:
 * - `laps`: no lap can be found.
 * - `verdict`: every lap is `UNVERIFIABLE`; files of 2015 lack the surface and the incident count.
 * - `more`: the rules that use it find nothing. These channels depend on car, series and build.
 *   `findSoftContradictions` holds the laps of a file without some of the sensors.
 */
export const LAP_CHANNELS = [
  { name: 'SessionTime', need: 'laps' },
  { name: 'LapDistPct', need: 'laps' },
  { name: 'SessionNum', need: 'more' },
  { name: 'Lap', need: 'more' },
  { name: 'LapLastLapTime', need: 'verdict' },
  { name: 'LapCurrentLapTime', need: 'more' },
  { name: 'SessionTick', need: 'more' },
  { name: 'Speed', need: 'verdict' },
  { name: 'PlayerTrackSurface', need: 'verdict' },
  { name: 'PlayerCarMyIncidentCount', need: 'verdict' },
  { name: 'SessionFlags', need: 'verdict' },
  { name: 'PlayerIncidents', need: 'more' },
  { name: 'OnPitRoad', need: 'more' },
  { name: 'PlayerCarInPitStall', need: 'more' },
  { name: 'PlayerCarTowTime', need: 'more' },
  { name: 'PaceMode', need: 'more' },
  { name: 'SessionOnJokerLap', need: 'more' },
  { name: 'LapDist', need: 'more' },
  { name: 'Lat', need: 'verdict' },
  { name: 'Lon', need: 'verdict' },
  ...SENSOR_CHANNELS,
] as const satisfies Channels

export type LapChannel = (typeof LAP_CHANNELS)[number]['name']
