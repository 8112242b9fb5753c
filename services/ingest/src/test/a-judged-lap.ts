import type { JudgedLap } from '../judging/judged-file.ts'

/** Returns a complete and clean lap that counts, unless `change` says otherwise. */
export function aJudgedLap(id: string, lapNo: number, change: Partial<JudgedLap> = {}): JudgedLap {
  return {
    id,
    lapNo,
    timeMs: 90_000,
    timeSource: 'official',
    isCompleted: true,
    isClean: true,
    counts: true,
    reasons: [],
    location: null,
    drivenAt: null,
    sessionKind: null,
    airTempC: null,
    skies: null,
    findings: [],
    gearRatios: new Map(),
    fingerprint: null,
    ...change,
  }
}
