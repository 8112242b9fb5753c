import type { Lap, Preview } from '@lapwing/telemetry'
import { createStore } from '#shared/store/store.ts'
import type { CursorStore } from './cursor-store.ts'
import type { RequestFrame } from './every-frame.ts'

/** Seconds. A page that was asleep must not skip half a lap when it wakes. */
const MAX_FRAME_S = 0.1

/**
 * Creates a player that moves the locked cursor in real time, so that pointers cannot move it. Unlocking it,
 * by a click or Escape, ends the playback.
 */
export function createLapPlayer(
  cursor: CursorStore,
  requestFrame: RequestFrame = callback => requestAnimationFrame(callback),
) {
  let run = 0
  const playing = createStore(false)

  /** Plays from the cursor; from the start if there is no cursor or it is at the lap's end. */
  function play(preview: Preview, lap: Lap) {
    const at = cursor.get().row
    const isInside = at !== null && at >= lap.row_start && at < lap.row_end
    let row = isInside ? at : lap.row_start
    cursor.move(row)
    if (!cursor.get().locked) cursor.toggleLock(row)
    let clock = timeOf(preview, row)
    let before: number | null = null
    const thisRun = ++run
    playing.set(true)

    function frame(timeMs: number) {
      if (thisRun !== run || !playing.get()) return
      const now = cursor.get()
      if (!now.locked || now.row === null) return playing.set(false)
      // A key moved the cursor during playback: continue from there.
      if (now.row !== row) {
        row = Math.min(lap.row_end, Math.max(lap.row_start, now.row))
        clock = timeOf(preview, row)
      }
      if (before !== null) clock += Math.min(MAX_FRAME_S, (timeMs - before) / 1000)
      before = timeMs
      while (row < lap.row_end && !(timeOf(preview, row + 1) > clock)) row++
      cursor.move(row)
      if (row === lap.row_end) playing.set(false)
      else requestFrame(frame)
    }
    requestFrame(frame)
  }

  return {
    playing,
    play,
    pause() {
      run++
      playing.set(false)
    },
  }
}

const players = new WeakMap<CursorStore, ReturnType<typeof createLapPlayer>>()

/** Returns the one player of a cursor, so that Space on any view pauses what another view started. */
export function playerOf(cursor: CursorStore) {
  const player = players.get(cursor) ?? createLapPlayer(cursor)
  players.set(cursor, player)
  return player
}

function timeOf(preview: Preview, row: number): number {
  const time = preview.sessionTime[row]!
  return Number.isFinite(time) ? time : row / preview.meta.sample_rate_hz
}
