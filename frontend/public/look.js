// Runs before the first paint, so that a light page never flashes dark, and a dark one never light. It is its
// own file because the content security policy forbids inline scripts. The keys are those of
// src/shared/preferences.
;(() => {
  const stored = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const root = document.documentElement
  root.dataset.theme = stored('lapwing.dark-mode') === '0' ? 'light' : 'dark'
  // The empty page before the style sheet, too: the system's own choice is never asked.
  const scheme = document.querySelector('meta[name="color-scheme"]')
  if (scheme) scheme.content = root.dataset.theme
  root.dataset.palette = stored('lapwing.palette') === 'colour-blind' ? 'colour-blind' : 'standard'
})()
