import type { ShownRange } from './lap-views.ts'

/** Returns which rows lie in the chosen corner or straight; all that have a place if none is chosen. */
export function selectedRows(metres: Float64Array, chosen: ShownRange['chosen']): (index: number) => boolean {
  return index => {
    const metre = metres[index]!
    return chosen ? metre >= chosen.startM && metre <= chosen.endM : Number.isFinite(metre)
  }
}
