import { isTelemetryName } from '#shared/files/telemetry-name.ts'

/** The parts of the File System Access API that the types of the DOM lack. */
export interface Folder
  extends Pick<FileSystemDirectoryHandle, 'name' | 'getDirectoryHandle' | 'getFileHandle'> {
  values(): AsyncIterable<FileSystemHandle>
  queryPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
}

/** A telemetry file inside the folder. */
export interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly path: string
  getFile(): Promise<File>
}

/** Most files that the library lists. Five evenings a week fill 5,000 in ten years. */
export const MAX_FILES = 20_000
/** Folders inside each other that are read. */
const MAX_DEPTH = 6

/** Returns whether this browser can remember a folder. */
export function canRememberFolder(): boolean {
  return 'showDirectoryPicker' in globalThis
}

/** Lets the driver choose a folder; null if they changed their mind. Needs a press. */
export async function pickFolder(): Promise<Folder | null> {
  const { showDirectoryPicker } = globalThis as unknown as {
    showDirectoryPicker(options: { readonly id: string; readonly mode: 'read' }): Promise<Folder>
  }
  try {
    return await showDirectoryPicker({ id: 'telemetry', mode: 'read' })
  } catch (error) {
    if ((error as Error | null)?.name === 'AbortError') return null
    throw error
  }
}

/** Returns whether the folder can be read now. `isPressed`: a press lets the browser ask the driver. */
export async function canRead(folder: Folder, isPressed: boolean): Promise<boolean> {
  const mode = { mode: 'read' } as const
  const state = await folder.queryPermission?.(mode)
  if (state !== 'prompt') return state !== 'denied'
  return isPressed && (await folder.requestPermission?.(mode)) === 'granted'
}

/** Finds the telemetry files of a folder and of the folders inside it. Rejects if the folder is gone. */
export async function* filesOf(folder: Folder, prefix = '', depth = 0): AsyncGenerator<FolderFile> {
  for await (const handle of folder.values()) {
    const path = prefix + handle.name
    if (handle.kind === 'file') {
      if (isTelemetryName(path)) yield { path, getFile: () => (handle as FileSystemFileHandle).getFile() }
    } else if (depth < MAX_DEPTH) {
      yield* filesOf(handle as unknown as Folder, `${path}/`, depth + 1)
    }
  }
}

/** Opens one file by its path. Rejects if it is gone. */
export async function fileAt(folder: Folder, path: string): Promise<File> {
  const parts = path.split('/')
  const name = parts.pop()!
  let inside: Pick<Folder, 'getDirectoryHandle' | 'getFileHandle'> = folder
  for (const part of parts) inside = await inside.getDirectoryHandle(part)
  return (await inside.getFileHandle(name)).getFile()
}

/** Returns a chosen file's path inside its folder; its name if it was chosen alone. */
export function pathOfChosen({ name, webkitRelativePath }: File): string {
  return !webkitRelativePath ? name : webkitRelativePath.slice(webkitRelativePath.indexOf('/') + 1)
}
