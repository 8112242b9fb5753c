import type { RequestFrame } from '#shared/drawing/every-frame.ts'
import { createStore } from '#shared/store/store.ts'
import type { CursorStore } from './cursor-store.ts'
import { type LapSeries, rowInLap } from './lap-series.ts'
import { lapSeconds, rowAtTime, secondsAt, type TimedLap } from './lap-time.ts'
import { rowAtSamePosition } from './same-position.ts'

/** The rates of playback; 1 is real time. */
export const CLOCK_RATES = [0.25, 0.5, 1, 2, 4, 8] as const
export type ClockRate = (typeof CLOCK_RATES)[number]

export interface ClockState {
  /**
   * Seconds since both cars crossed the line. Null if the pointer or a key has the cursor: all laps are then shown
   * at one position, not at one time.
   */
  readonly timeS: number | null
  readonly isPlaying: boolean
  readonly rate: ClockRate
}

/**
 * The clock of a cursor: both cars by the time since the line. Views read `get().timeS` and find each car with
 * `rowAtTime` or `rowBeside`. React reads it with `useStore`, without the time, which changes each frame.
 */
export type LapClock = ReturnType<typeof createLapClock>

/** Seconds. A page that was asleep must not skip half a lap when it wakes. */
const MAX_FRAME_S = 0.1

/**
 * Creates a clock that moves the cursor and locks it, so that pointers cannot move it. Unlocking, by a click or
 * Escape, ends the playback. A key that moves the cursor sets the clock.
 */
export function createLapClock(
  cursor: CursorStore,
  requestFrame: RequestFrame = callback => requestAnimationFrame(callback),
) {
  const store = createStore<ClockState>({ timeS: null, isPlaying: false, rate: 1 })
  const { get, subscribe, patch } = store
  let run = 0
  let lap: TimedLap | null = null
  let isMoving = false

  cursor.subscribe(() => {
    if (isMoving || lap === null || get().timeS === null) return
    const { row, locked } = cursor.get()
    const inside = locked ? rowInLap(row, lap.lap) : null
    if (inside === null) stop()
    else patch({ timeS: secondsAt(lap, inside) })
  })

  function stop() {
    run++
    patch({ timeS: null, isPlaying: false })
  }

  /** Sets the time, and moves the cursor to the last row before it. */
  function show(of: TimedLap, timeS: number) {
    lap = of
    const within = Math.min(lapSeconds(of), Math.max(secondsAt(of, of.lap.row_start), timeS))
    const row = Math.floor(rowAtTime(of, within))
    isMoving = true
    // First the time, because the listeners of the cursor read it.
    patch({ timeS: within })
    cursor.move(row)
    if (!cursor.get().locked) cursor.toggleLock(row)
    isMoving = false
  }

  /** Plays from the cursor; from the start if there is no cursor or it is at the lap's end. */
  function play(of: TimedLap) {
    const row = rowInLap(cursor.get().row, of.lap)
    const at = get().timeS ?? (row === null ? null : secondsAt(of, row))
    show(of, at !== null && row !== null && row < of.lap.row_end ? at : 0)
    patch({ isPlaying: true })
    const thisRun = ++run
    let before: number | null = null

    function frame(timeMs: number) {
      const { isPlaying, timeS, rate } = get()
      if (thisRun !== run || !isPlaying || timeS === null) return
      const passedS = before === null ? 0 : Math.min(MAX_FRAME_S, (timeMs - before) / 1000)
      before = timeMs
      show(of, timeS + rate * passedS)
      if (get().timeS! >= lapSeconds(of)) patch({ isPlaying: false })
      else requestFrame(frame)
    }
    requestFrame(frame)
  }

  function pause() {
    run++
    patch({ isPlaying: false })
  }

  return {
    get,
    subscribe,
    play,
    /** Stops both cars; the cursor stays locked. */
    pause,
    /** Plays, or pauses if it plays. */
    toggle: (of: TimedLap) => (get().isPlaying ? pause() : play(of)),
    /** Shows a time in seconds since the line, limited to the lap. A clock that plays continues from there. */
    seek: show,
    setRate: (rate: ClockRate) => patch({ rate }),
  }
}

const clocks = new WeakMap<CursorStore, LapClock>()

/** Returns the one clock of a cursor, so that Space on any view pauses what another view started. */
export function clockOf(cursor: CursorStore): LapClock {
  const clock = clocks.get(cursor) ?? createLapClock(cursor)
  clocks.set(cursor, clock)
  return clock
}

/**
 * Returns the row of `other` while the main lap is at `row`. If the clock is on, it is the row at its time, with a
 * fraction between two rows; otherwise the row at the same position. Null if `row` has no position.
 */
export function rowBeside(clock: LapClock, main: LapSeries, row: number, other: LapSeries): number | null {
  const { timeS } = clock.get()
  return timeS === null ? rowAtSamePosition(main, row, other) : rowAtTime(other, timeS)
}
