import { LocateFixed } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import useSWR from 'swr'
import { CLEAN_HINT } from '#shared/laps/clean-hint.ts'
import { Button } from '#shared/ui/Button.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { Select } from '#shared/ui/Select.tsx'
import type { CarOption, TrackOption } from './board-api.ts'
import {
  type BoardChoice,
  chooseBoard,
  chooseCar,
  chooseTrack,
  isSameTrack,
  withChosen,
} from './board-choice.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'
import { RefreshButton } from './RefreshButton.tsx'

interface BoardControlsProps {
  readonly boards: Boards
  readonly userId: string
  readonly choice: BoardChoice
  readonly onChoice: (choice: BoardChoice) => void
  readonly isBusy: boolean
  readonly onRefresh: () => void
  /** Null until the driver's rank is known. */
  readonly onFindMe: (() => void) | null
}

/** Chooses which board is shown. */
export function BoardControls(props: BoardControlsProps) {
  const { boards, userId, choice, onChoice, isBusy, onRefresh, onFindMe } = props
  const { track, car, board } = choice
  const tracks = useSWR(boardKeys.tracks(userId), () => boards.api.tracks(), {
    dedupingInterval: freshMs.tracks,
  })
  const cars = useSWR(track && boardKeys.cars(userId, track), () => boards.api.cars(track!), {
    dedupingInterval: freshMs.cars,
  })
  // The one car of a track needs no choice, also when the driver comes back to the track.
  const only = cars.data?.length === 1 ? cars.data[0] : undefined
  const chooseOnly = useEffectEvent((one: CarOption) => onChoice(chooseCar(choice, one)))
  useEffect(() => {
    if (car === null && only) chooseOnly(only)
  }, [car, only])
  const trackOptions = withChosen(tracks.data, track, isSameTrack)
  const carOptions = withChosen(cars.data, car, (a, b) => a.slug === b.slug)

  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      <div className="w-56 grow max-sm:w-[calc(50%-4px)]">
        <Select
          label="Track"
          placeholder="Select a track"
          hint="Select a track to view its leaderboards"
          value={track ? trackValue(track) : ''}
          options={trackOptions.map(option => ({ value: trackValue(option), label: option.label }))}
          onValueChange={value => {
            const next = trackOptions.find(option => trackValue(option) === value)
            if (next) onChoice(chooseTrack(choice, next))
          }}
        />
      </div>
      <div className="w-48 max-sm:w-[calc(50%-4px)]">
        <Select
          label="Car"
          placeholder="Select a car"
          hint="Select a car to view its leaderboard for the selected track"
          disabled={track === null}
          value={car?.slug ?? ''}
          options={carOptions.map(carOption)}
          onValueChange={value => {
            const next = carOptions.find(option => option.slug === value)
            if (next) onChoice(chooseCar(choice, next))
          }}
        />
      </div>
      <SegmentedControl
        label="Which laps"
        value={board}
        onValueChange={next => onChoice(chooseBoard(choice, next))}
        segments={[
          { value: 'complete', label: 'All laps' },
          { value: 'clean', label: 'Clean', hint: CLEAN_HINT },
        ]}
      />
      <div className="ml-auto flex gap-2">
        <Button disabled={onFindMe === null} onClick={() => onFindMe?.()}>
          <LocateFixed size={14} aria-hidden />
          Find Me
        </Button>
        <RefreshButton cooldown={boards.dialogCooldown} isBusy={isBusy} onRefresh={onRefresh} />
      </div>
    </div>
  )
}

function trackValue({ sim, slug, layout }: TrackOption): string {
  return [sim, slug, layout].join('/')
}

function carOption({ slug, label }: CarOption) {
  return { value: slug, label }
}
