import { darkMode } from './dark-mode.ts'
import { palette } from './palette.ts'

/** Keeps the page's theme and palette in step with the choices. `public/look.js` set them before. */
export function followLook(root: HTMLElement): void {
  const apply = () => {
    root.dataset.theme = darkMode.get() ? 'dark' : 'light'
    root.dataset.palette = palette.get()
  }
  darkMode.subscribe(apply)
  palette.subscribe(apply)
  apply()
}
