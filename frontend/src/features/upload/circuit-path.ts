/** The made-up circuit of the first visit, clockwise from the line, within x 22…576 and y 40…374. */
export const CIRCUIT_PATH =
  'M150 352 L398 352 C456 352 486 330 482 296 C478 264 440 262 414 244 C388 226 396 196 428 186 L504 164 C548 150 560 112 534 84 C508 56 462 60 440 90 C418 120 396 132 360 124 L236 96 C196 86 168 104 168 138 C168 172 204 180 226 202 C248 226 226 252 190 246 L112 232 C66 224 38 252 44 290 C50 330 88 352 150 352 Z'

/** Parts of it as shares of its length, by what the driver does there. */
export const circuitParts = [
  { from: 0, to: 0.13, pedal: 'throttle' },
  { from: 0.13, to: 0.165, pedal: 'brake' },
  { from: 0.235, to: 0.26, pedal: 'brake' },
  { from: 0.29, to: 0.36, pedal: 'throttle' },
  { from: 0.36, to: 0.4, pedal: 'brake' },
  { from: 0.47, to: 0.61, pedal: 'throttle' },
  { from: 0.61, to: 0.645, pedal: 'brake' },
  { from: 0.7, to: 0.74, pedal: 'throttle' },
  { from: 0.74, to: 0.775, pedal: 'brake' },
  { from: 0.8, to: 0.86, pedal: 'throttle' },
  { from: 0.86, to: 0.89, pedal: 'brake' },
  { from: 0.93, to: 1, pedal: 'throttle' },
] as const
