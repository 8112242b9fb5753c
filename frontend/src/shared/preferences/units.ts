import { localChoice } from '#shared/storage/local-store.ts'

/** Each quantity has its own choice of unit (D-21): a British driver wants °C with mph. */
export type TemperatureUnit = 'fahrenheit' | 'celsius'
export type SpeedUnit = 'km/h' | 'mph'

const TEMPERATURE_KEY = 'lapwing.unit.temperature'
export const temperatureUnit = localChoice<TemperatureUnit>(TEMPERATURE_KEY, 'fahrenheit', 'celsius')
export const speedUnit = localChoice<SpeedUnit>('lapwing.unit.speed', 'km/h', 'mph')
