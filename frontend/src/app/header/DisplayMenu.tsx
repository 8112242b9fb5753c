import { SlidersHorizontal } from 'lucide-react'
import { Popover } from 'radix-ui'
import { palette } from '#shared/preferences/palette.ts'
import { speedUnit, temperatureUnit } from '#shared/preferences/units.ts'
import type { Preference } from '#shared/storage/preference.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import { SegmentedControl, type SegmentedControlProps } from '#shared/ui/SegmentedControl.tsx'

/** The menu of units and colours (D-20, D-21). */
export function DisplayMenu() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button size="named" word="Units" aria-label="Units and colours" title="Units and colours">
          <SlidersHorizontal size={16} aria-hidden />
        </Button>
      </Popover.Trigger>
      <MenuPanel label="Units and colours" className="w-[min(348px,calc(100vw-24px))] space-y-2.5 p-3">
        <Row
          label="Temperature"
          preference={temperatureUnit}
          segments={[
            { value: 'fahrenheit', label: '°F', name: 'Fahrenheit' },
            { value: 'celsius', label: '°C', name: 'Celsius' },
          ]}
        />
        <Row
          label="Speed"
          preference={speedUnit}
          segments={[
            { value: 'km/h', label: 'km/h' },
            { value: 'mph', label: 'mph' },
          ]}
        />
        <Row
          label="Colours"
          preference={palette}
          segments={[
            { value: 'standard', label: <Swatches {...swatches.standard} /> },
            { value: 'colour-blind', label: <Swatches {...swatches.colourBlind} /> },
          ]}
        />
      </MenuPanel>
    </Popover.Root>
  )
}

interface RowProps<T extends string> extends Pick<SegmentedControlProps<T>, 'label' | 'segments'> {
  readonly preference: Preference<T>
}

function Row<T extends string>({ label, preference, segments }: RowProps<T>) {
  const value = useStore(preference)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="text-muted">{label}</span>
      <SegmentedControl label={label} value={value} onValueChange={preference.set} segments={segments} />
    </div>
  )
}

const swatches = {
  standard: { colours: ['bg-(--standard-throttle)', 'bg-(--standard-brake)'], text: 'Standard' },
  colourBlind: {
    colours: ['bg-(--colour-blind-throttle)', 'bg-(--colour-blind-brake)'],
    text: 'Colour-blind',
  },
} as const

/** Shows the palette's colours for throttle and brake. */
function Swatches({ colours, text }: { readonly colours: readonly string[]; readonly text: string }) {
  return (
    <>
      <span className="flex gap-0.5" aria-hidden>
        {colours.map(colour => (
          <span key={colour} className={`size-2 rounded-full ${colour}`} />
        ))}
      </span>
      {text}
    </>
  )
}
