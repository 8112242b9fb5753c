import { FilePlus2, FolderOpen } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { canRememberFolder, pickFolder } from './folder.ts'
import type { LibraryStore } from './library-store.ts'

interface ChooseButtonsProps {
  readonly library: LibraryStore
  /** Whether there is no folder yet. */
  readonly isFirst: boolean
}

/** Chooses the folder, or single files. Browsers that remember no folder hand over its files once. */
export function ChooseButtons({ library, isFirst }: ChooseButtonsProps) {
  const folderInput = useRef<HTMLInputElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const openFolder = async () => {
    if (!canRememberFolder()) return folderInput.current?.click()
    const folder = await pickFolder()
    if (folder) await library.useFolder(folder)
  }
  return (
    <>
      <Button variant={isFirst ? 'primary' : 'secondary'} onClick={() => void openFolder()}>
        <FolderOpen size={16} aria-hidden />
        {isFirst ? 'Open your telemetry folder' : 'Choose another folder'}
      </Button>
      <Button onClick={() => fileInput.current?.click()}>
        <FilePlus2 size={16} aria-hidden />
        Add files
      </Button>
      <FileInput ref={folderInput} label="Telemetry folder" isFolder library={library} />
      <FileInput ref={fileInput} label="Telemetry files" library={library} />
    </>
  )
}

interface FileInputProps {
  readonly ref: Ref<HTMLInputElement>
  readonly label: string
  readonly isFolder?: boolean
  readonly library: LibraryStore
}

function FileInput({ ref, label, isFolder, library }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={isFolder ? undefined : '.ibt'}
      webkitdirectory={isFolder ? '' : undefined}
      multiple
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        currentTarget.value = ''
        void library.add(files)
      }}
    />
  )
}
