import { Moon, Sun } from 'lucide-react'
import { darkMode } from '#shared/preferences/dark-mode.ts'
import { usePreference } from '#shared/storage/use-preference.ts'
import { Button } from '#shared/ui/Button.tsx'

/** Dark or light. */
export function ThemeSwitch() {
  const dark = usePreference(darkMode)
  return (
    <Button
      size="icon"
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
