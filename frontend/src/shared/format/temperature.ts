import type { TemperatureUnit } from '#shared/preferences/units.ts'

const units: Record<TemperatureUnit, { readonly sign: string; readonly of: (celsius: number) => number }> = {
  fahrenheit: { sign: '°F', of: celsius => (celsius * 9) / 5 + 32 },
  celsius: { sign: '°C', of: celsius => celsius },
}

/** Formats a temperature in °C as a whole number of the chosen unit, such as `72 °F`. */
export function formatTemperature(celsius: number, unit: TemperatureUnit): string {
  const { sign, of } = units[unit]
  // Adding 0 turns the -0 of a temperature slightly below zero into 0.
  return `${(Math.round(of(celsius)) + 0).toString().replace('-', '−')} ${sign}`
}
