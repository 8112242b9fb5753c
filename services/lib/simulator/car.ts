/** The properties of a car that driving needs. */
export interface Car {
  /** With driver. */
  readonly massKg: number
  /** Half of air density times drag area and times downforce area, N/(m/s)². */
  readonly drag: number
  readonly downforce: number
  readonly rollingN: number
  /** Friction of tyre on road. */
  readonly grip: number
  /** Share of the grip that the driven wheels have at a corner exit. */
  readonly drivenShare: number
  /** Share of the grip that the brakes can use before a wheel locks. */
  readonly brakeShare: number
  /** N at full pedal. */
  readonly brakeN: number
  readonly wheelRadiusM: number
  readonly wheelbaseM: number
  readonly steeringRatio: number
  /** Extra steering for each m/s² of lateral acceleration, radians at the road wheels. */
  readonly understeer: number
  /** Resistance of tyres that run at an angle, N for each (m/s²)². */
  readonly scrubN: number
  /** Nm at full throttle, falling off to both sides of a broad peak. */
  readonly torque: { readonly peakNm: number; readonly peakRpm: number; readonly fallNm: number }
  readonly idleRpm: number
  readonly shiftRpm: number
  readonly redLineRpm: number
  /** Turns of the engine for one of the wheel, first gear first. */
  readonly ratios: readonly number[]
}

/** A made-up car: 395 kW at 7,000 rpm, rear drive, six gears. */
export const LAPWING_GT: Car = {
  massKg: 1330,
  drag: 0.58,
  downforce: 1.5,
  rollingN: 210,
  grip: 1.46,
  drivenShare: 0.53,
  brakeShare: 0.9,
  brakeN: 27_500,
  wheelRadiusM: 0.335,
  wheelbaseM: 2.62,
  steeringRatio: 13.2,
  understeer: 0.0011,
  scrubN: 3.4,
  torque: { peakNm: 556, peakRpm: 5400, fallNm: 300 },
  idleRpm: 1250,
  shiftRpm: 7150,
  redLineRpm: 7500,
  ratios: [12.9, 9.15, 7.05, 5.7, 4.75, 3.92],
}

export const GRAVITY = 9.80665

/** Nm at full throttle. */
export function torqueNm({ torque: { peakNm, peakRpm, fallNm } }: Car, rpm: number): number {
  const x = (rpm - peakRpm) / peakRpm
  return Math.max(0, peakNm - fallNm * x * x)
}

export function rpmAt(car: Car, speedMps: number, gear: number): number {
  return (speedMps / car.wheelRadiusM) * car.ratios[gear - 1]! * (30 / Math.PI)
}

/** N at the wheels at full throttle. */
export function driveN(car: Car, speedMps: number, gear: number): number {
  const rpm = Math.max(car.idleRpm * 2, rpmAt(car, speedMps, gear))
  return (torqueNm(car, rpm) * car.ratios[gear - 1]! * 0.93) / car.wheelRadiusM
}

/** N at the wheels with the throttle closed, against the car. */
export function engineBrakeN(car: Car, speedMps: number, gear: number): number {
  const rpm = rpmAt(car, speedMps, gear)
  if (rpm < car.idleRpm * 1.2) return 0
  // In proportion to the torque of the engine.
  const size = car.torque.peakNm / LAPWING_GT.torque.peakNm
  return ((22 + 0.0075 * rpm) * size * car.ratios[gear - 1]!) / car.wheelRadiusM
}

/** Returns the gear that pulls most below the shift speed. */
export function bestGear(car: Car, speedMps: number): number {
  let gear = 1
  while (gear < car.ratios.length && rpmAt(car, speedMps, gear) > car.shiftRpm) gear++
  return gear
}

/** Returns m/s² that the tyres can reach at that speed, in any direction. */
export function gripMps2(car: Car, speedMps: number, share: number): number {
  return car.grip * share * (GRAVITY + (car.downforce * speedMps * speedMps) / car.massKg)
}
