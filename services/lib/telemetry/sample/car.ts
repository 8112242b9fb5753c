/** The Lapwing GT, a car that nobody builds: 1,330 kg with driver, 395 kW, rear drive, six gears. */
export const CAR = {
  massKg: 1330,
  /** Half of air density times drag area and times downforce area, N/(m/s)². */
  drag: 0.58,
  downforce: 1.5,
  rollingN: 210,
  /** Friction of tyre on road. */
  grip: 1.46,
  /** Share of the grip that the driven wheels have on the way out of a corner. */
  drivenShare: 0.53,
  /** Share of the grip that the brakes can use before a wheel locks. */
  brakeShare: 0.9,
  /** N at full pedal. */
  brakeN: 27_500,
  wheelRadiusM: 0.335,
  wheelbaseM: 2.62,
  trackWidthM: 1.64,
  steeringRatio: 13.2,
  /** Extra steering for each m/s² of lateral acceleration, radians at the road wheels. */
  understeer: 0.0011,
  /** Resistance of tyres that run at an angle, N for each (m/s²)². */
  scrubN: 3.4,
  idleRpm: 1250,
  shiftRpm: 7150,
  redLineRpm: 7500,
  /** Turns of the engine for one of the wheel, first gear first. */
  ratios: [12.9, 9.15, 7.05, 5.7, 4.75, 3.92],
} as const

export const GRAVITY = 9.80665

/** Nm at full throttle: a broad peak at 5,400 rpm, 395 kW at 7,000. */
export function torqueNm(rpm: number): number {
  const x = (rpm - 5400) / 5400
  return Math.max(0, 556 - 300 * x * x)
}

export function rpmAt(speedMps: number, gear: number): number {
  return (speedMps / CAR.wheelRadiusM) * CAR.ratios[gear - 1]! * (30 / Math.PI)
}

/** N at the wheels at full throttle. */
export function driveN(speedMps: number, gear: number): number {
  const rpm = Math.max(CAR.idleRpm * 2, rpmAt(speedMps, gear))
  return (torqueNm(rpm) * CAR.ratios[gear - 1]! * 0.93) / CAR.wheelRadiusM
}

/** N at the wheels with the throttle closed, against the car. */
export function engineBrakeN(speedMps: number, gear: number): number {
  const rpm = rpmAt(speedMps, gear)
  return rpm < CAR.idleRpm * 1.2 ? 0 : ((22 + 0.0075 * rpm) * CAR.ratios[gear - 1]!) / CAR.wheelRadiusM
}

/** The gear that pulls most without passing the shift speed. */
export function bestGear(speedMps: number): number {
  let gear = 1
  while (gear < CAR.ratios.length && rpmAt(speedMps, gear) > CAR.shiftRpm) gear++
  return gear
}

/** m/s²: what the tyres can do at that speed, in any direction. */
export function gripMps2(speedMps: number, share: number): number {
  return CAR.grip * share * (GRAVITY + (CAR.downforce * speedMps * speedMps) / CAR.massKg)
}
