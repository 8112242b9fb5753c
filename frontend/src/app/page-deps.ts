import type { Reference } from '@lapwing/telemetry/compare'
import { createContext, useContext } from 'react'
import type { Account } from '#features/account/account.ts'
import type { CompareStore } from '#features/compare/compare-store.ts'
import type { Boards } from '#features/leaderboard/boards.ts'
import type { FileOwnerStore } from '#features/save-lap/file-owner.ts'
import type { SaveLapStore } from '#features/save-lap/save-lap-store.ts'
import type { FileToSend } from '#features/save-lap/save-when-possible.ts'
import type { UploadStore } from '#features/upload/upload-store.ts'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import type { Readable, Store } from '#shared/store/store.ts'

/** Objects that are created when the page starts and live as long as it. */
export interface PageDeps {
  readonly upload: UploadStore
  readonly account: Account
  readonly compare: CompareStore
  /** Laps of the driver's own files that can be a reference, by an id. */
  readonly ownLaps: Map<string, () => Promise<Reference>>
  /** Loads a lap of a board, a saved lap of the driver, or one of `ownLaps`. */
  readonly fetchReference: (lapId: string) => Promise<Reference>
  /** For calls to the product API that need a session, by code that loads later. */
  readonly signedIn: SignedInDeps
  readonly boards: Boards
  readonly saveLap: SaveLapStore
  readonly fileOwner: FileOwnerStore
  /** What the driver chose to send; null before, which sends the loaded file if it was opened with saving. */
  readonly fileToSend: Store<FileToSend | null>
  /** Settings of this deployment; settles soon after the page starts. */
  readonly config: Promise<RunTimeConfig>
  /** Whether the page loads the code that a press may need. */
  readonly isLoadingAhead: Readable<boolean>
}

export const PageDepsContext = createContext<PageDeps | null>(null)

export function usePageDeps(): PageDeps {
  const deps = useContext(PageDepsContext)
  if (!deps) throw new Error('usePageDeps needs a PageDepsContext above it')
  return deps
}
