import { savedLapName } from '#features/my-laps/lap-moment.ts'
import type { MyLap } from '#features/my-laps/my-laps-api.ts'
import { usePageDeps } from '../page-deps.ts'

/** Returns the function that opens a saved lap in place of a file. It resolves with whether the lap was opened. */
export function useOpenLap(): (lap: MyLap) => Promise<boolean> {
  const { upload, fetchReference } = usePageDeps()
  return lap => {
    const load = async () => {
      // The code of this and of comparing is the same.
      const { readSavedLap } = await import('#features/my-laps/read-saved-lap.ts')
      return readSavedLap(lap, fetchReference)
    }
    return upload.openLap({ lapId: lap.lap_id, name: savedLapName(lap), facts: JSON.stringify(lap), load })
  }
}
