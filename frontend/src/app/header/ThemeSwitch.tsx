import { Moon, Sun } from 'lucide-react'
import { darkMode } from '#shared/preferences/dark-mode.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'

/** Switches between dark and light. */
export function ThemeSwitch() {
  const dark = useStore(darkMode)
  return (
    <Button
      size="named"
      word="Theme"
      role="switch"
      aria-checked={dark}
      aria-label="Dark theme"
      title={dark ? 'Switch to the light theme' : 'Switch to the dark theme'}
      onClick={() => darkMode.set(!dark)}
    >
      {dark ? <Moon size={16} aria-hidden /> : <Sun size={16} aria-hidden />}
    </Button>
  )
}
