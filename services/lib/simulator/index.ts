/** The simulator behind the sample, for callers that simulate their own sessions. */
export { type Car, LAPWING_GT } from './car.ts'
export { GREYWATER_PARK, type Road, type RoadPiece } from './circuit.ts'
export type { Mistake, Stint } from './plan-stint.ts'
export { type SessionNames, type SimulatedSession, simulateSession } from './simulate-session.ts'
