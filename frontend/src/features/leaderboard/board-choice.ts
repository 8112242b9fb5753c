import type { Combination } from '#shared/boards/combination.ts'
import type { BoardName, CarOption, TrackOption } from './board-api.ts'

/** What the full leaderboard shows. */
export interface BoardChoice {
  readonly track: TrackOption | null
  readonly car: CarOption | null
  readonly board: BoardName
  /** Rank of the first row minus one. */
  readonly offset: number
}

export const PAGE_SIZE = 50

/** Returns the choice with which the dialog opens. */
export function chosenFor(combination: Combination): BoardChoice {
  const { sim, track_slug, layout, car_slug, track_label, car_label } = combination
  return {
    track: { sim, slug: track_slug, layout, label: track_label },
    car: { slug: car_slug, label: car_label },
    board: 'complete',
    offset: 0,
  }
}

/** Chooses a track and clears the car: not every car has a lap on every track. */
export function chooseTrack(choice: BoardChoice, track: TrackOption): BoardChoice {
  return { ...choice, track, car: null, offset: 0 }
}

export function chooseCar(choice: BoardChoice, car: CarOption): BoardChoice {
  return { ...choice, car, offset: 0 }
}

export function chooseBoard(choice: BoardChoice, board: BoardName): BoardChoice {
  return { ...choice, board, offset: 0 }
}

export function goTo(choice: BoardChoice, offset: number): BoardChoice {
  return { ...choice, offset: Math.max(0, offset) }
}

/** Returns the offset of the page that holds a rank. */
export function offsetOfRank(rank: number): number {
  return PAGE_SIZE * Math.floor((rank - 1) / PAGE_SIZE)
}

/** Returns the chosen combination; null until track and car are chosen. */
export function combinationOfChoice({ track, car }: BoardChoice): Combination | null {
  if (track === null || car === null) return null
  return {
    sim: track.sim,
    track_slug: track.slug,
    layout: track.layout,
    car_slug: car.slug,
    track_label: track.label,
    car_label: car.label,
  }
}

export function isSameTrack(a: TrackOption, b: TrackOption): boolean {
  return a.sim === b.sim && a.slug === b.slug && a.layout === b.layout
}

/** Adds the chosen option to the list if it is missing. The list lacks it if no driver has driven it yet. */
export function withChosen<T>(
  options: readonly T[] | undefined,
  chosen: T | null,
  isSame: (a: T, b: T) => boolean,
): readonly T[] {
  if (chosen === null) return options ?? []
  if (!options) return [chosen]
  return options.some(option => isSame(option, chosen)) ? options : [chosen, ...options]
}
