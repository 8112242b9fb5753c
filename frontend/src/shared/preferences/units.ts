import { localStore } from '#shared/storage/local-store.ts'
import { createPreference, oneOf } from '#shared/storage/preference.ts'

/** Units are chosen for each quantity by itself (D-21): a British driver wants °C with mph. */
export type TemperatureUnit = 'fahrenheit' | 'celsius'
export type SpeedUnit = 'km/h' | 'mph'

export const temperatureUnit = createPreference<TemperatureUnit>({
  key: 'lapwing.unit.temperature',
  store: localStore,
  ...oneOf(['fahrenheit', 'celsius']),
  otherTabs: globalThis.window,
})

export const speedUnit = createPreference<SpeedUnit>({
  key: 'lapwing.unit.speed',
  store: localStore,
  ...oneOf(['km/h', 'mph']),
  otherTabs: globalThis.window,
})
