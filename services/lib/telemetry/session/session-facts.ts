/**
 * The facts that Lapwing uses of a file's session text. Nothing else leaves this module: the text names other
 * drivers, and its paths can hold a user's name (D-12).
 */
export interface SessionFacts {
  readonly trackId: number | null
  /** `TrackName`, the simulator's short name, such as `summit jefferson`. */
  readonly trackName: string | null
  readonly trackDisplayName: string | null
  readonly trackConfigName: string | null
  /** Driven length in metres (`TrackLength`, kilometres in the text). */
  readonly trackLengthM: number | null
  readonly trackVersion: string | null
  /** Air temperature in °C at the start (`TrackAirTemp`). */
  readonly airTempC: number | null
  /** `TrackSkies` as 0 Clear, 1 Partly Cloudy, 2 Mostly Cloudy, 3 Overcast. */
  readonly skies: 0 | 1 | 2 | 3 | null
  /** Seconds since midnight in the simulation when the session starts (`TimeOfDay`, such as `2:05 pm`). */
  readonly timeOfDayS: number | null
  readonly carId: number | null
  readonly carPath: string | null
  readonly carScreenName: string | null
  readonly carVersion: string | null
  /** iRacing's number for the driver of this car (`UserID` at `DriverCarIdx`). */
  readonly userId: number | null
  /** True if `TeamID` is not 0: a team mate may have driven. */
  readonly isTeamSession: boolean
  readonly buildVersion: string | null
  readonly isFixedSetup: boolean | null
  readonly seriesId: number | null
  readonly seasonId: number | null
  readonly raceWeek: number | null
  /** rpm; from `DriverCarRedLine` and `DriverCarSLShiftRPM`. */
  readonly redLineRpm: number | null
  readonly shiftRpm: number | null
  /** Type of each session by `SessionNum`, such as `Practice` or `Race`. */
  readonly sessionTypes: ReadonlyMap<number, string>
  /** Name of each session by `SessionNum`, such as `Practice` or `Heat 1`; its type if it has no name. */
  readonly sessionNames: ReadonlyMap<number, string>
  /** Sector starts as a share of the lap, ascending, the first 0 (`SplitTimeInfo`). */
  readonly sectorStarts: readonly number[]
  /** Eight hex digits that differ for different set-ups of the car; null if the text has no set-up. */
  readonly setupDigest: string | null
}
