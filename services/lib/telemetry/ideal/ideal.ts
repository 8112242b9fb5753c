export { type IdealLap, type IdealPart, searchIdealLap } from './ideal-lap.ts'
export { sameConditions } from './same-conditions.ts'
