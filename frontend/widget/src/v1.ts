import type { ElementProps, RenderInput, WidgetApp } from './element-props.ts'
import { ATTRIBUTES, mergeConfig, readAttributes } from './read-attributes.ts'

/** Address of the widget's module, from this script. The build sets it. */
declare const __APP__: string

/**
 * The address of this script, on the origin that also has identity. It is read now: later there is no current
 * script.
 */
const script = document.currentScript
const address = script instanceof HTMLScriptElement ? script.src : window.location.href

/** Returns the origin of identity: that of `api`, or of this script if there is none or it is no address. */
function originOf(api: string | null): string {
  if (api !== null && /^https?:/.test(api) && URL.canParse(api)) return new URL(api).origin
  if (api !== null) console.warn('lapwing-login: api must be an address, such as https://id.example.com.')
  return new URL(address).origin
}

/** `<lapwing-login>`. This file is small; the widget itself loads when an element is on the page. */
class LapwingLogin extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES
  #rendered: RenderInput = {}
  #app: WidgetApp | null = null
  #baseUrl = ''
  /** Grows with each start and end, so that a late load of the widget changes nothing. */
  #turn = 0

  connectedCallback(): void {
    const turn = ++this.#turn
    this.#baseUrl = originOf(this.getAttribute('api'))
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const loading: Promise<typeof import('./app.tsx')> = import(
      /* @vite-ignore */
      // A script of another origin cannot load by a relative address.
      new URL(__APP__, address).href
    )
    loading.then(
      ({ start }) => {
        if (turn === this.#turn) this.#app = start(this, shadow, this.#props())
      },
      (error: unknown) => {
        console.error('lapwing-login: the widget could not be loaded.', error)
        this.dispatchEvent(new CustomEvent('lapwing-error', { detail: error }))
      },
    )
  }

  disconnectedCallback(): void {
    this.#turn++
    this.#app?.end()
    this.#app = null
  }

  attributeChangedCallback(): void {
    this.#app?.update(this.#props())
  }

  /** Sets options, callbacks and texts. Later calls replace the members that they have. */
  render(input: RenderInput): void {
    this.#rendered = { ...this.#rendered, ...input }
    this.#app?.update(this.#props())
  }

  #props(): ElementProps {
    const get = (name: string) => this.getAttribute(name)
    const { config, presentation } = readAttributes(get)
    const { callbacks = {}, strings = {} } = this.#rendered
    return {
      baseUrl: this.#baseUrl,
      publicToken: get('public-token') ?? '',
      locale: get('locale') ?? 'en',
      config: mergeConfig(config, this.#rendered.config),
      presentation: { ...presentation, ...this.#rendered.presentation },
      callbacks,
      strings,
    }
  }
}

// A page can have the script twice.
if (customElements.get('lapwing-login') === undefined) customElements.define('lapwing-login', LapwingLogin)
