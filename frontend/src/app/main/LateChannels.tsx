import type { ComponentProps } from 'react'
import { useState } from 'react'
import { channelsCard } from '#shared/preferences/channels.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import type { AnyChannel } from './AnyChannel.tsx'

const loadAnyChannel = async () => (await import('./AnyChannel.tsx')).AnyChannel

interface LateChannelsProps extends Omit<ComponentProps<typeof AnyChannel>, 'isAsked'> {
  /** Whether the other views are drawn. */
  readonly canStart: boolean
}

/** The card of any channel of the file, if the driver has opened it. Its code loads then. */
export function LateChannels({ canStart, ...props }: LateChannelsProps) {
  const isOpen = useStore(channelsCard) === 'open'
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (wasOpen && !isOpen) setWasOpen(false)
  const { part: Part, ...late } = useLazyPart(loadAnyChannel, isOpen && canStart)
  if (!isOpen) return null
  if (Part) return <Part isAsked={!wasOpen} {...props} />
  return late.isFailed && <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
}

/** Opens and closes that card. */
export function AnyChannelButton() {
  const isOpen = useStore(channelsCard) === 'open'
  return (
    <Button
      variant="ghost"
      className="h-7! px-2! text-xs pointer-coarse:h-11!"
      aria-expanded={isOpen}
      onClick={() => channelsCard.set(isOpen ? 'closed' : 'open')}
    >
      Any channel
    </Button>
  )
}
