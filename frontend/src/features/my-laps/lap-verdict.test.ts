import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSavedLap } from '#testing/a-saved-lap.ts'
import { lapVerdict } from './lap-verdict.ts'

test('says a verdict in a driver’s words', () => {
  const cases: [Parameters<typeof aSavedLap>[1], ReturnType<typeof lapVerdict>][] = [
    [{}, { kind: 'clean', headline: 'Complete and clean', reasons: [] }],
    [
      { is_clean: false, reasons: ['INCIDENT', 'OFF_TRACK'] },
      {
        kind: 'unclean',
        headline: 'Complete, not clean',
        reasons: ['Left the track', 'Touched a wall or lost control (1x or more)'],
      },
    ],
    [
      { is_clean: false, reasons: ['UNVERIFIABLE'] },
      {
        kind: 'unverified',
        headline: 'Complete',
        reasons: ['Unverified: this file lacks incidents, track limits or positions'],
      },
    ],
    [
      {
        is_completed: false,
        is_clean: false,
        reasons: ['NO_OPEN', 'OUT', 'UNVERIFIABLE'],
        time_ms: null,
        time_source: null,
      },
      {
        kind: 'partial',
        headline: 'Not a complete lap',
        reasons: ['Out lap: started from the pits', 'Joined halfway: the file starts in mid-lap'],
      },
    ],
    [{ review: 'held' }, { kind: 'unclean', headline: 'Held for review: only you see it', reasons: [] }],
    [
      { review: 'refused' },
      { kind: 'unclean', headline: 'Refused by a moderator: on no board', reasons: [] },
    ],
    [{ review: 'released' }, { kind: 'clean', headline: 'Complete and clean', reasons: [] }],
    [
      { is_clean: false, reasons: ['OFF_TRACK', 'ELSEWHERE'] },
      {
        kind: 'unclean',
        headline: 'On no board',
        reasons: [
          'Driven elsewhere, or the file does not say where: a moderator has set the place of this track',
          'Left the track',
        ],
      },
    ],
    [
      { time_source: 'interpolated' },
      {
        kind: 'clean',
        headline: 'Complete and clean',
        reasons: ["Timed from the recording: the file ends before the simulator's own time"],
      },
    ],
  ]
  for (const [change, verdict] of cases) assert.deepEqual(lapVerdict(aSavedLap(1, change)), verdict)
})
