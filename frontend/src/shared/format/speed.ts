import type { SpeedUnit } from '#shared/preferences/units.ts'

const perMps: Readonly<Record<SpeedUnit, number>> = { 'km/h': 3.6, mph: 3600 / 1609.344 }

/** m/s in the chosen unit. */
export function speedIn(unit: SpeedUnit, speedMps: number): number {
  return speedMps * perMps[unit]
}

/** m/s as a whole number of the chosen unit, without its name. */
export function formatSpeed(speedMps: number, unit: SpeedUnit): string {
  return Math.round(speedIn(unit, speedMps)).toString()
}
