/** A place on Earth, in degrees. */
export interface MapPlace {
  readonly lat: number
  readonly lon: number
}
