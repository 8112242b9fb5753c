import { localChoice, localPreference } from '#shared/storage/local-store.ts'

/** Whether the card with any channel of the file is open. */
export const channelsCard = localChoice('lapwing.channels', 'closed', 'open')

/** The driver's chart pages; `chart-pages.ts` parses the text. Empty is the default set. */
export const channelPages = localPreference<string>({
  key: 'lapwing.channel-pages',
  parse: stored => stored ?? '',
  format: pages => pages,
})

/** Name of the page that was shown last. */
export const channelPage = localPreference<string>({
  key: 'lapwing.channel-page',
  parse: stored => stored ?? '',
  format: name => name,
})
