import type { Stint, StintChange } from '@lapwing/telemetry/stints'
import { formatSpeed } from '#shared/format/speed.ts'
import { formatTemperature } from '#shared/format/temperature.ts'
import type { SpeedUnit, TemperatureUnit } from '#shared/preferences/units.ts'

export interface Units {
  readonly speed: SpeedUnit
  readonly temperature: TemperatureUnit
}

/** By irsdk_TrackWetness. */
const WETNESS = [
  null,
  'dry',
  'mostly dry',
  'very lightly wet',
  'lightly wet',
  'moderately wet',
  'very wet',
  'extremely wet',
] as const

export function wetnessWords(wetness: number | null): string | null {
  return wetness === null ? null : (WETNESS[wetness] ?? null)
}

/** Returns a change as name and words: "Fuel at the start", "20.0 → 60.0 L (+40.0)". */
export function changeWords(
  { of, from, to }: StintChange,
  units: Units,
): readonly [name: string, words: string] {
  const degrees = (celsius: number) => formatTemperature(celsius, units.temperature)
  const temperatures = `${degrees(from)} → ${degrees(to)}`
  switch (of) {
    case 'fuel':
      return ['Fuel at the start', `${from.toFixed(1)} → ${to.toFixed(1)} L (${signed(to - from)})`]
    case 'tyres':
      return ['Tyres changed', `tread ${percent(from)} → ${percent(to)} %`]
    case 'tyreTemps':
      return ['Tyres', temperatures]
    case 'air':
      return ['Air', temperatures]
    case 'track':
      return ['Track', temperatures]
    case 'wetness':
      return ['Track surface', `${wetnessWords(from) ?? '?'} → ${wetnessWords(to) ?? '?'}`]
    case 'wind':
      return ['Wind', `${formatSpeed(from, units.speed)} → ${formatSpeed(to, units.speed)} ${units.speed}`]
  }
}

function signed(litres: number): string {
  return `${litres < 0 ? '−' : '+'}${Math.abs(litres).toFixed(1)}`
}

function percent(share: number): string {
  // 99.94 is worn, and must not look new.
  return share < 1 && share > 0.995
    ? (Math.floor(1000 * share) / 10).toFixed(1)
    : String(Math.round(100 * share))
}

/** Returns the figures of a stint that are recorded, as name and words. */
export function stintFigures(
  stint: Stint,
  units: Units,
): readonly (readonly [name: string, words: string])[] {
  const degrees = (celsius: number | null) =>
    celsius !== null && formatTemperature(celsius, units.temperature)
  const { fuelStartL, fuelEndL, fuelALapL, treadStart, treadEnd, windMps } = stint
  const all: readonly (readonly [string, string | false | null])[] = [
    [
      'Fuel',
      fuelStartL !== null && fuelEndL !== null && `${fuelStartL.toFixed(1)} → ${fuelEndL.toFixed(1)} L`,
    ],
    ['Fuel a lap', fuelALapL !== null && `${fuelALapL.toFixed(2)} L`],
    ['Tyres, front', axle(stint.tyreTempsC.slice(0, 2), units)],
    ['Tyres, rear', axle(stint.tyreTempsC.slice(2), units)],
    ['Tread at the start', treadStart.length > 0 && `${treadStart.map(percent).join(' / ')} %`],
    ['Tread at the stop', treadEnd.length > 0 && `${treadEnd.map(percent).join(' / ')} %`],
    ['Air', degrees(stint.airTempC)],
    ['Track', degrees(stint.trackTempC)],
    ['Track surface', wetnessWords(stint.wetness)],
    ['Wind', windMps !== null && `${formatSpeed(windMps, units.speed)} ${units.speed}`],
  ]
  return all.flatMap(([name, words]) => (words ? [[name, words] as const] : []))
}

/** Returns "158 / 162 °F"; false if the axle is not recorded. */
function axle(temperaturesC: readonly number[], { temperature }: Units): string | false {
  const words = temperaturesC.map(each => formatTemperature(each, temperature))
  return words.length === 2 && `${words[0]!.split(' ')[0]} / ${words[1]}`
}
