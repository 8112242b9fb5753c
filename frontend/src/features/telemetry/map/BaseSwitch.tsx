import type { MapSources } from '#shared/config/map-sources.ts'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { type BaseName, NO_SOURCE } from './choose-base.ts'

interface BaseSwitchProps {
  readonly sources: MapSources
  readonly value: BaseName
  readonly onValueChange: (base: BaseName) => void
  /** A driver pressed a map without a source. */
  readonly onBlocked: (base: BaseName) => void
}

/** Chooses the map below the lap. A map without a source cannot be chosen, and says so. */
export function BaseSwitch({ sources, value, onValueChange, onBlocked }: BaseSwitchProps) {
  const segment = (base: BaseName, label: string) => ({
    value: base,
    label,
    ...(sources[base] === null && { isBlocked: true, hint: NO_SOURCE[base] }),
  })
  return (
    <SegmentedControl
      label="Map"
      value={value}
      onValueChange={onValueChange}
      onBlocked={onBlocked}
      segments={[segment('satellite', 'Satellite'), segment('street', 'Street')]}
    />
  )
}
