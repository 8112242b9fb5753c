import { localPreference } from '#shared/storage/local-store.ts'

/**
 * Whether the page is dark: yes, unless the stored value is "0", as the specification says. `public/look.js`
 * reads the same key before the first paint. `look.test.ts` checks that the two agree.
 */
export const darkMode = localPreference<boolean>({
  key: 'lapwing.dark-mode',
  parse: stored => stored !== '0',
  format: dark => (dark ? '1' : '0'),
})
