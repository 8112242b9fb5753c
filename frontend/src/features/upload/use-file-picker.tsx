import { type ReactNode, useRef } from 'react'

/** Returns the browser's file dialog: a hidden input to render once, and the function that opens it. */
export function useFilePicker(onChoose: (files: File[]) => void): {
  readonly input: ReactNode
  readonly open: () => void
} {
  const ref = useRef<HTMLInputElement>(null)
  return {
    open: () => ref.current?.click(),
    input: (
      <input
        ref={ref}
        type="file"
        accept=".ibt"
        multiple
        aria-label="Telemetry file (.ibt)"
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // So that the same file can be chosen again, after a refusal or a change on disk.
          currentTarget.value = ''
          onChoose(files)
        }}
      />
    ),
  }
}
