import type { SpeedUnit } from '#shared/preferences/units.ts'

const perMps: Readonly<Record<SpeedUnit, number>> = { 'km/h': 3.6, mph: 3600 / 1609.344 }

/** Converts m/s to the chosen unit. */
export function speedIn(unit: SpeedUnit, speedMps: number): number {
  return speedMps * perMps[unit]
}

/** Formats m/s as a whole number of the chosen unit, without the unit's name. */
export function formatSpeed(speedMps: number, unit: SpeedUnit): string {
  return Math.round(speedIn(unit, speedMps)).toString()
}
