import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import { groupLaps } from './group-laps.ts'
import { DELETE_LABEL, MyLapRow } from './MyLapRow.tsx'
import { MyLapsGroup } from './MyLapsGroup.tsx'
import { createMyLapsApi, type MyLap } from './my-laps-api.ts'
import { createMyLapsStore, type MyLapsDeps } from './my-laps-store.ts'

interface MyLapsProps extends Omit<MyLapsDeps, 'api'> {
  readonly signedIn: SignedInDeps
  /** Shows a lap in place of the open session. Resolves to true on success; the dialog then closes. */
  readonly onOpen: (lap: MyLap) => Promise<boolean>
  /** Returns whether a lap can be compared with the open session. */
  readonly canCompare: (lap: MyLap) => boolean
  /** Loads a lap as the reference of the open session. Resolves to true on success; the dialog then closes. */
  readonly onCompare: (lap: MyLap) => Promise<boolean>
  /** The saved lap that is open; null without one. */
  readonly openLapId: string | null
}

interface MyLapsDialogProps extends MyLapsProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** All saved laps of the driver, with their verdicts. */
export function MyLapsDialog({ open, onOpenChange, ...props }: MyLapsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your saved laps"
      width="w-[760px]"
      focusDialog
      fromTop
    >
      <MyLaps {...props} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

/** Starts fresh with each opening: every file brings new laps. */
function MyLaps(props: MyLapsProps & { readonly onClose: () => void }) {
  const { signedIn, onOpen, canCompare, onCompare, openLapId, onClose, ...deps } = props
  const [store] = useState(() => createMyLapsStore({ api: createMyLapsApi(signedIn), ...deps }))
  const { laps, hasMore, isLoading, problem, busy } = useStore(store)
  useEffect(() => void store.load(), [store])
  const groups = groupLaps(laps)
  const [pending, setPending] = useState<string | null>(null)
  const leaveFor = async (lap: MyLap, action: (lap: MyLap) => Promise<boolean>) => {
    if (pending !== null) return
    setPending(lap.lap_id)
    const isDone = await action(lap)
    setPending(null)
    if (isDone) onClose()
  }
  const isFirst = laps.length === 0 && isLoading
  const part = useRef<HTMLDivElement>(null)
  const removedAt = useRef(0)
  // The focus moves to the lap that takes the place of a deleted one.
  useKeptFocus(part, () => {
    const buttons = part.current?.querySelectorAll<HTMLElement>(`[aria-label="${DELETE_LABEL}"]`) ?? []
    return buttons[Math.min(removedAt.current, buttons.length - 1)] ?? null
  })
  const remove = (lap: MyLap) => {
    removedAt.current = groups.flatMap(group => group.laps).indexOf(lap)
    void store.remove(lap)
  }

  return (
    <div ref={part} tabIndex={-1} className="min-h-72 px-5 pt-2 pb-5 outline-none" aria-busy={isLoading}>
      <p className="text-muted">
        What the server made of the sessions you saved, newest first. The ten fastest complete laps of a file,
        and its fastest clean one, open again at any time. Others can compare with a lap that is on a
        leaderboard while “Reference” is on.
      </p>
      {isFirst && <Skeleton />}
      {!isLoading && problem === null && laps.length === 0 && (
        <p role="status" className="py-14 text-center text-muted">
          No laps are saved yet. Load a session while you are signed in, and its laps appear here.
        </p>
      )}
      {groups.map((group, place) => (
        <MyLapsGroup key={group.key} group={group}>
          {group.laps.map((lap, index) => (
            <MyLapRow
              key={lap.lap_id}
              lap={lap}
              isBusy={busy.has(lap.lap_id) || pending === lap.lap_id}
              isFar={place + index >= 20}
              isOpen={lap.lap_id === openLapId}
              onOpen={() => void leaveFor(lap, onOpen)}
              onCompare={canCompare(lap) ? () => void leaveFor(lap, onCompare) : null}
              onReferenceAllowed={isAllowed => void store.setReferenceAllowed(lap, isAllowed)}
              onRemove={() => remove(lap)}
            />
          ))}
        </MyLapsGroup>
      ))}
      {problem && (
        <div className="mt-3">
          <Notice message={problem} />
        </div>
      )}
      {hasMore && !isFirst && (laps.length > 0 || problem !== null) && (
        <Button isBlocked={isLoading} onClick={() => void store.load()} className="mt-3 w-full">
          {isLoading && <LoaderCircle size={14} aria-hidden className="motion-safe:animate-spin" />}
          {problem === null ? 'Load more' : 'Try again'}
        </Button>
      )}
    </div>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="mt-1 motion-safe:animate-pulse">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="flex h-16 items-center gap-4 border-b border-line">
          <span className="h-5 w-20 rounded-md bg-raised" />
          <span className="h-3 w-52 rounded-sm bg-raised" />
        </div>
      ))}
    </div>
  )
}
