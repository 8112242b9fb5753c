import { type Car, LAPWING_GT } from '@lapwing/simulator'

/** A small single-seater without wings: 82 kW, four gears. */
export const FORMULA_FORD: Car = {
  massKg: 500,
  drag: 0.36,
  downforce: 0.02,
  rollingN: 85,
  grip: 1.42,
  drivenShare: 0.5,
  brakeShare: 0.88,
  brakeN: 8_500,
  wheelRadiusM: 0.285,
  wheelbaseM: 2.49,
  steeringRatio: 9.5,
  understeer: 0.0012,
  scrubN: 1.4,
  torque: { peakNm: 142, peakRpm: 5000, fallNm: 80 },
  idleRpm: 1100,
  shiftRpm: 6900,
  redLineRpm: 7300,
  ratios: [9.4, 6.7, 5.1, 3.95],
}

/** A roadster of a one-make cup: 127 kW, six gears. */
export const ROADSTER: Car = {
  ...LAPWING_GT,
  massKg: 1130,
  drag: 0.46,
  downforce: 0.15,
  rollingN: 170,
  grip: 1.28,
  drivenShare: 0.55,
  brakeN: 15_500,
  wheelRadiusM: 0.305,
  wheelbaseM: 2.31,
  steeringRatio: 14.5,
  scrubN: 2.4,
  torque: { peakNm: 205, peakRpm: 5000, fallNm: 120 },
  idleRpm: 900,
  shiftRpm: 6900,
  redLineRpm: 7400,
  ratios: [14.2, 8.6, 6.3, 4.95, 4.2, 3.6],
}
