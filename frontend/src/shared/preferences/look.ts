import { darkMode } from './dark-mode.ts'
import { palette } from './palette.ts'

/** Updates the page's theme and palette after each choice. `public/look.js` set them at the first paint. */
export function followLook(root: HTMLElement): void {
  const apply = () => {
    root.dataset.theme = darkMode.get() ? 'dark' : 'light'
    root.dataset.palette = palette.get()
  }
  darkMode.subscribe(apply)
  palette.subscribe(apply)
  apply()
}
