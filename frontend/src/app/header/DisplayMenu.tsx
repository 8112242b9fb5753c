import { SlidersHorizontal } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { palette } from '#shared/preferences/palette.ts'
import { speedUnit, temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'

/** The menu of units and colours (D-20, D-21). */
export function DisplayMenu() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button size="icon" aria-label="Units and colours" title="Units and colours">
          <SlidersHorizontal size={16} aria-hidden />
        </Button>
      </Popover.Trigger>
      <MenuPanel label="Units and colours" className="w-[min(348px,calc(100vw-24px))] space-y-2.5 p-3">
        <Row label="Temperature">
          <SegmentedControl
            label="Temperature"
            value={useStore(temperatureUnit)}
            onValueChange={temperatureUnit.set}
            segments={[
              { value: 'fahrenheit', label: '°F', name: 'Fahrenheit' },
              { value: 'celsius', label: '°C', name: 'Celsius' },
            ]}
          />
        </Row>
        <Row label="Speed">
          <SegmentedControl
            label="Speed"
            value={useStore(speedUnit)}
            onValueChange={speedUnit.set}
            segments={[
              { value: 'km/h', label: 'km/h' },
              { value: 'mph', label: 'mph' },
            ]}
          />
        </Row>
        <Row label="Colours">
          <SegmentedControl
            label="Colours"
            value={useStore(palette)}
            onValueChange={palette.set}
            segments={[
              { value: 'standard', label: <Swatches {...swatches.standard} /> },
              { value: 'colour-blind', label: <Swatches {...swatches.colourBlind} /> },
            ]}
          />
        </Row>
      </MenuPanel>
    </Popover.Root>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="text-muted">{label}</span>
      {children}
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
