import { useEffect, useState } from 'react'
import { type SpeedUnit, speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'

interface Coordinator {
  readonly setSpeedUnit: (unit: SpeedUnit) => void
  readonly destroy: () => void
}

/**
 * Creates the coordinator of a view once its elements exist, and keeps its speed unit. Null before that.
 *
 * @param create reads the elements; called again only for another cursor or view
 * @param onReady receives the coordinator once it exists, and null when it is gone
 */
export function useCoordinator<Created extends Coordinator>(
  create: () => Created,
  cursor: CursorStore,
  view: DistanceViewStore,
  onReady: (coordinator: NoInfer<Created> | null) => void,
): Created | null {
  const [coordinator, setCoordinator] = useState<Created | null>(null)
  const unit = useStore(speedUnit)

  // A new `create` of the same stores reads the same elements.
  useEffect(() => {
    const created = create()
    setCoordinator(created)
    onReady(created)
    return () => {
      onReady(null)
      created.destroy()
    }
  }, [cursor, view, onReady])

  useEffect(() => coordinator?.setSpeedUnit(unit), [coordinator, unit])

  return coordinator
}
