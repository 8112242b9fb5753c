import { useMemo } from 'react'
import { createBrowserLibrary } from '#features/library/browser-library.ts'
import { LibraryDialog } from '#features/library/LibraryDialog.tsx'
import type { LibraryActions } from '#features/library/library-actions.ts'
import { validateFile } from '#features/upload/validate-file.ts'
import { ReadError } from '#shared/files/read-error.ts'
import { usePageDeps } from '../page-deps.ts'

interface YourLibraryProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** One for the page: it goes on while the dialog is closed. */
const library = createBrowserLibrary()

const NOT_OPENED = 'The file could not be opened. Try it again.'

/** The driver's telemetry folder, whose sessions open in the page. */
export function YourLibrary(props: YourLibraryProps) {
  const { upload } = usePageDeps()
  const actions = useMemo(
    (): LibraryActions => ({
      async open(entry) {
        try {
          upload.choose([await library.fileOf(entry)])
          return null
        } catch (error) {
          return error instanceof ReadError ? error.message : NOT_OPENED
        }
      },
      refusalOf: validateFile,
      canBeReference: () => false,
      useAsReference: async () => null,
    }),
    [upload],
  )
  return <LibraryDialog {...props} library={library} actions={actions} />
}
