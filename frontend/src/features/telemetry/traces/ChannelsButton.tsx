import { Rows3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { DELTA_CHANNEL, TRACE_CHANNELS, type TraceChannel } from './trace-channels.ts'

interface ChannelsButtonProps {
  readonly channels: readonly TraceChannel[]
  readonly anyChannel: ReactNode
}

const loadMenu = async () => (await import('./ChannelMenu.tsx')).ChannelMenu

/** Opens the menu of the traces, whose code loads at the first press. */
export function ChannelsButton({ channels, anyChannel }: ChannelsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const { part: ChannelMenu, ...loading } = useLazyPart(loadMenu, isOpen)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button variant="ghost" className="h-7! px-2! text-xs ml-auto pointer-coarse:h-11! @sm:ml-0">
          <Rows3 size={13} aria-hidden />
          Channels
        </Button>
      </Popover.Trigger>
      <MenuPanel
        label="Channels"
        className="max-h-(--radix-popover-content-available-height) w-[min(320px,calc(100vw-24px))] overflow-y-auto p-3"
      >
        {ChannelMenu ? (
          <>
            {anyChannel}
            <ChannelMenu all={[DELTA_CHANNEL, ...TRACE_CHANNELS]} channels={channels} />
          </>
        ) : (
          loading.isFailed && <LoadProblem isBusy={loading.isLoading} onRetry={loading.retry} />
        )}
      </MenuPanel>
    </Popover.Root>
  )
}
