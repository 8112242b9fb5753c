import type { Variable } from '@lapwing/telemetry'
import { speedIn } from '#shared/format/speed.ts'
import type { SpeedUnit, TemperatureUnit } from '#shared/preferences/units.ts'

/** How values of a variable are drawn: multiplied by `scale`, then `offset` is added. */
export interface DrawnUnit {
  /** Empty without one. */
  readonly unit: string
  readonly scale: number
  readonly offset: number
}

/** The driver's choices (D-21). */
export interface UnitChoices {
  readonly speed: SpeedUnit
  readonly temperature: TemperatureUnit
}

const DEGREES = 180 / Math.PI
/** m/s². */
const GRAVITY = 9.80665

/** Units of the file that drivers read in another form. */
const UNITS: Readonly<Record<string, Omit<DrawnUnit, 'offset'>>> = {
  // The file's per cent are shares, 0..1.
  '%': { unit: '%', scale: 100 },
  rad: { unit: '°', scale: DEGREES },
  'rad/s': { unit: '°/s', scale: DEGREES },
  'm/s^2': { unit: 'g', scale: 1 / GRAVITY },
  'revs/min': { unit: 'rpm', scale: 1 },
  RPM: { unit: 'rpm', scale: 1 },
  deg: { unit: '°', scale: 1 },
  'N*m': { unit: 'N·m', scale: 1 },
  'kg/m^3': { unit: 'kg/m³', scale: 1 },
  Hg: { unit: 'inHg', scale: 1 },
}

/** Dampers and ride height move by millimetres. */
const SMALL_WAYS = /shock(?:Defl|Vel)|rideHeight/i

/** Returns how a variable is drawn: in the unit that the file states, or in the one that drivers use for it. */
export function drawnUnit({ name, unit }: Pick<Variable, 'name' | 'unit'>, choices: UnitChoices): DrawnUnit {
  if (SMALL_WAYS.test(name)) {
    if (unit === 'm') return { unit: 'mm', scale: 1000, offset: 0 }
    if (unit === 'm/s') return { unit: 'mm/s', scale: 1000, offset: 0 }
  }
  if (unit === 'm/s') return { unit: choices.speed, scale: speedIn(choices.speed, 1), offset: 0 }
  if (unit === 'C') {
    return choices.temperature === 'celsius'
      ? { unit: '°C', scale: 1, offset: 0 }
      : { unit: '°F', scale: 9 / 5, offset: 32 }
  }
  // Names of the simulator's own enumerations are no units.
  if (unit.startsWith('irsdk_')) return { unit: '', scale: 1, offset: 0 }
  return { unit, scale: 1, ...UNITS[unit], offset: 0 }
}

/** Returns with how many decimals all values of a channel have about four digits. `reach` is the largest of them. */
export function decimalsFor(reach: number): number {
  return reach >= 1000 ? 0 : reach >= 100 ? 1 : reach >= 1 ? 2 : 3
}

/** Formats a value; a dash for one that is not a number. */
export function formatValue(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–'
  const text = value.toFixed(decimals)
  // Without the sign of a negative zero.
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace('-', '−')
}
