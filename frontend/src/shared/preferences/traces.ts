import { localPreference } from '#shared/storage/local-store.ts'

/** Which traces are shown, in which order and how tall; `trace-layout.ts` parses the text. Empty is the default. */
export const tracesLayout = localPreference<string>({
  key: 'lapwing.traces',
  parse: stored => stored ?? '',
  format: layout => layout,
})
