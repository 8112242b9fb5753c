export { cutLap, type LapCut } from './cut-lap.ts'
