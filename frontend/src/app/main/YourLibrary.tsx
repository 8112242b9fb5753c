import type { LapSummary } from '@lapwing/telemetry'
import { useEffect, useMemo } from 'react'
import { createBrowserLibrary } from '#features/library/browser-library.ts'
import { LibraryDialog } from '#features/library/LibraryDialog.tsx'
import type { LibraryActions } from '#features/library/library-actions.ts'
import {
  bestLap,
  bestOf,
  dayOf,
  isOf,
  type LibraryEntry,
  type ReadEntry,
} from '#features/library/library-entry.ts'
import { readLap } from '#features/library/read-lap.ts'
import { type Combination, combinationOf } from '#shared/boards/combination.ts'
import { ReadError } from '#shared/files/read-error.ts'
import { useStore } from '#shared/store/use-store.ts'
import { type PageDeps, usePageDeps } from '../page-deps.ts'

interface YourLibraryProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The view of a session, which has the charts. */
  readonly loadChart: LibraryActions['loadChart']
  /** Files to add; null while it is closed. */
  readonly files: readonly File[] | null
}

/** One for the page: it goes on while the dialog is closed. */
const library = createBrowserLibrary()

const NOT_OPENED = 'The file could not be opened. Try it again.'

/** The driver's telemetry folder, whose sessions open in the page and whose laps are references. */
export function YourLibrary({ files, loadChart, ...props }: YourLibraryProps) {
  const { upload, compare, ownLaps } = usePageDeps()
  const { session } = useStore(upload)
  const { isOn } = useStore(compare)
  const combination = session && combinationOf(session.preview.meta)
  const actions = useMemo(
    (): LibraryActions => ({
      async open(entry) {
        try {
          upload.openUnsaved(await library.fileOf(entry))
          return null
        } catch (error) {
          return sentenceOf(error)
        }
      },
      loadChart,
      canBeReference: entry => isOn && combination !== null && isOf(entry, combination),
      async useAsReference(entry, lap) {
        try {
          const row = offerLap(entry, lap, await library.fileOf(entry), ownLaps)
          return (await compare.use(row, combinationOf(entry.summary.meta)!, 'board')) ? null : NOT_COMPARED
        } catch (error) {
          return sentenceOf(error)
        }
      },
    }),
    [upload, compare, ownLaps, isOn, combination, loadChart],
  )
  useEffect(() => {
    if (files !== null && files.length > 0) void library.open().then(() => library.add(files))
  }, [files])
  return <LibraryDialog {...props} library={library} actions={actions} />
}

const NOT_COMPARED = 'The lap could not be loaded as the reference.'

function sentenceOf(error: unknown): string {
  return error instanceof ReadError ? error.message : NOT_OPENED
}

/**
 * Finds the best lap of the library on the track and car of the open session; null without one. Needs a press, which
 * lets the browser ask for the folder.
 */
export async function findBestInLibrary(combination: Combination, { ownLaps }: PageDeps) {
  await library.load()
  const entry = bestOf(library.get().entries, combination)
  const lap = entry && bestLap(entry.summary)
  return lap && offerLap(entry, lap, await library.fileOf(entry), ownLaps)
}

/** Registers a lap as one that can be the reference. Returns its id and name. */
function offerLap(entry: ReadEntry, lap: LapSummary, file: File, ownLaps: PageDeps['ownLaps']) {
  const lap_id = idOf(entry, lap)
  ownLaps.set(lap_id, async () => ({
    facts: {
      lapId: lap_id,
      userId: '',
      timeSource: 'official',
      combination: combinationOf(entry.summary.meta)!,
    },
    track: await readLap({ file, rowStart: lap.row_start }),
  }))
  return { lap_id, display_name: `Your Lap ${lap.lap} · ${dayOf(entry)}` }
}

/** Differs for each lap, and for a file that has changed. */
function idOf({ path, size, modifiedMs }: LibraryEntry, { row_start }: LapSummary): string {
  return `library ${size} ${modifiedMs} ${row_start} ${path}`
}
