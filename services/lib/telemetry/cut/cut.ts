export { cutLap, type LapCut, MAX_CUT_BYTES } from './cut-lap.ts'
