import type { Client } from '@lapwing/identity-client/client'
import { UsageError } from '@lapwing/identity-client/errors'
import { createEventQueue } from '@lapwing/identity-client/event-queue'
import { createSessionCookies } from '@lapwing/identity-client/session-cookies'
import { createTransport } from '@lapwing/identity-client/transport'
import { createRoot } from 'react-dom/client'
import { safeStorage } from '../../src/shared/storage/safe-storage.ts'
import tokens from '../../src/styles/tokens.css?inline'
import { readConfig, readPresentation } from './config/config.ts'
import { type Place, placeOf } from './config/place.ts'
import type { Mode, Theme } from './config/products.ts'
import type { ElementProps, WidgetApp } from './element-props.ts'
import { createFlows } from './flows/flows.ts'
import { createPhoneParser } from './phone/phone-parser.ts'
import style from './style.css?inline'
import { bestLocale, createTexts, loadMessages } from './texts/texts.ts'
import { passkeys } from './ui/passkeys.ts'
import { WidgetRoot } from './ui/Widget.tsx'
import { createWallets } from './ui/wallets.ts'

/** One sheet serves all widgets of the page. A strict policy allows it, because it is no <style> element. */
let shared: CSSStyleSheet | null = null

function sheet(): CSSStyleSheet {
  if (shared === null) {
    shared = new CSSStyleSheet()
    // The page's tokens, for the root of the widget instead of the page's.
    shared.replaceSync(tokens.replaceAll(':root', '.root') + style)
  }
  return shared
}

/** Starts the widget in an element. Every later `update` keeps its screen. */
export function start(host: HTMLElement, shadow: ShadowRoot, first: ElementProps): WidgetApp {
  let props = first
  let isEnded = false
  let hasWarned = false
  let placed: { readonly mode: Mode; readonly place: Place } | null = null
  shadow.adoptedStyleSheets = [sheet()]
  const root = createRoot(shadow)
  const texts = createTexts()
  const wallets = createWallets()
  const parser = createPhoneParser(async () => (await import('./phone/phone-rules.ts')).phoneRules)
  const cookies = createSessionCookies({ document, location: window.location })
  let config = readConfig()

  const notifyError = (error: Error) => {
    props.callbacks.onError?.(error)
    host.dispatchEvent(new CustomEvent('lapwing-error', { detail: error }))
  }
  const warn = (sentence: string) => console.warn(`lapwing-login: ${sentence}`)
  const transport = createTransport({
    fetch: (...request) => fetch(...request),
    config: async () => ({ baseUrl: first.baseUrl, publicToken: first.publicToken }),
    sessionToken: cookies.token,
    pageOrigin: window.location.origin,
    newId: randomId,
    now: () => new Date(),
  })
  const client: Client = {
    ...transport,
    pageOrigin: window.location.origin,
    store: safeStorage(() => localStorage),
    get sessionMinutes() {
      return config.sessionMinutes
    },
    hasSession: () => cookies.token() !== null,
    warn,
  }
  const queue = createEventQueue(transport.sendEvents, window)
  const flows = createFlows({
    client,
    cookies,
    queue,
    windowStore: safeStorage(() => sessionStorage),
    config: () => config,
    page: {
      origin: window.location.origin,
      href: () => window.location.href,
      replaceAddress: href => history.replaceState(history.state, '', href),
      leaveFor: href => window.location.assign(href),
    },
    passkeys,
    findWallet: wallets.find,
    notifyEvent(event) {
      props.callbacks.onEvent?.(event)
      host.dispatchEvent(new CustomEvent('lapwing-event', { detail: event }))
    },
    notifyError,
    now: Date.now,
  })
  if (!first.publicToken.startsWith('public-token-')) {
    warn('public-token should start with "public-token-".')
  }
  queue.add('render_login_screen', { options: { products: first.config.products ?? ['emailMagicLinks'] } })

  const darkMode = matchMedia('(prefers-color-scheme: dark)')
  const draw = () => {
    if (isEnded) return
    const presentation = readPresentation(props.presentation)
    const { mode } = presentation
    // Only another mode moves the widget: a person may be in the middle of a form.
    if (placed?.mode !== mode) {
      const room = { elementWidth: host.clientWidth, windowHeight: window.innerHeight }
      placed = { mode, place: placeOf(mode, room) }
    }
    root.render(
      <WidgetRoot
        flows={flows}
        config={config}
        presentation={presentation}
        texts={texts}
        wallets={wallets}
        parser={parser}
        place={placed.place}
        theme={themeOf(presentation.theme, darkMode)}
        direction={getComputedStyle(host).direction === 'rtl' ? 'rtl' : 'ltr'}
        notifyError={notifyError}
      />,
    )
  }
  const update = async (next: ElementProps) => {
    props = next
    try {
      const checked = readConfig(next.config)
      readPresentation(next.presentation)
      const locale = bestLocale(next.locale)
      const messages = await loadMessages(locale)
      await texts.activate(locale, messages, next.strings)
      if (props !== next || isEnded) return
      config = checked
      draw()
      if (checked.oauth.oneTap !== null && !hasWarned) {
        hasWarned = true
        const oneTap = (await import('./config/one-tap.ts')).oneTapProblem()
        warn(oneTap.message)
        notifyError(oneTap)
      }
    } catch (error) {
      if (isEnded) return
      // For the developer, so in English and on the page.
      if (error instanceof UsageError) {
        console.error(`lapwing-login: ${error.message}`)
        root.render(
          <div className="root" data-theme={themeOf('auto', darkMode)}>
            <section className="card">
              <p role="alert">{error.message}</p>
            </section>
          </div>,
        )
      }
      notifyError(error as Error)
    }
  }
  darkMode.addEventListener('change', draw)
  // The browser's Back shows a page that has left for a provider as it was, still waiting.
  const returned = (event: PageTransitionEvent) => {
    if (event.persisted) flows.back()
  }
  window.addEventListener('pageshow', returned)
  void update(first)
  return {
    update: next => void update(next),
    end() {
      isEnded = true
      darkMode.removeEventListener('change', draw)
      window.removeEventListener('pageshow', returned)
      queue.flush()
      root.unmount()
    },
  }
}

/** Follows the theme that the page declares with `data-theme`, otherwise that of the system. */
function themeOf(theme: Theme, darkMode: MediaQueryList): 'dark' | 'light' {
  if (theme !== 'auto') return theme
  const declared = document.documentElement.dataset.theme
  if (declared === 'dark' || declared === 'light') return declared
  return darkMode.matches ? 'dark' : 'light'
}

/** Returns a random id, also on pages without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), value => value.toString(16)).join('-')
}
