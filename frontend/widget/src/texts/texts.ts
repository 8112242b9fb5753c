import type { IntlMessageFormat } from 'intl-messageformat'
import { en, type MessageId } from './en.ts'

export type { MessageId } from './en.ts'

/** Texts of one language. */
export type Messages = Readonly<Partial<Record<MessageId, string>>>
/** What a message contains: texts, numbers, and functions that make its tags into elements. */
export type Values = Readonly<Record<string, unknown>>

/** Languages with texts. Others show English. */
export const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR'] as const
export type Locale = (typeof LOCALES)[number]

/** The texts of one widget. Every widget has its own, because two on a page can have two languages. */
export interface Texts {
  /** Language for `lang` and for numbers; throws before `activate`. */
  locale(): string
  /**
   * Sets the language.
   *
   * @param overrides texts of the page, which come first
   */
  activate(locale: string, messages: Messages, overrides?: Messages): Promise<void>
  /** Loads what the screens after Main need: their messages, and the parser for plurals and tags. */
  prepare(): Promise<void>
  /** Returns a message as text. Throws before `activate`. */
  text(id: MessageId, values?: Values): string
  /** Returns a message as parts: texts, and what the functions of its tags returned. */
  parts(id: MessageId, values?: Values): readonly unknown[]
}

/** Matches a message of plain text and plain values. It needs no parser, which is as large as Main. */
const PLAIN = /^[^{}<>']*(?:\{\w+\}[^{}<>']*)*$/

export function createTexts(): Texts {
  let active: { readonly locale: string; readonly messages: Messages; readonly overrides: Messages } | null =
    null
  let Format: typeof IntlMessageFormat | null = null
  let english: Messages = en

  function current() {
    if (active === null) throw new Error('A text was needed before a locale was set.')
    return active
  }

  function format(message: string, locale: string, values: Values): readonly unknown[] {
    if (PLAIN.test(message)) {
      return [
        message.replace(/\{(\w+)\}/g, (_, name: string) => {
          if (!(name in values)) throw new Error(`The message has no value ${name}.`)
          return String(values[name])
        }),
      ]
    }
    if (Format === null) throw new Error('The rules of messages are not loaded.')
    return [new Format(message, locale).format(values as never)].flat()
  }

  const parts = (id: MessageId, values: Values = {}): readonly unknown[] => {
    const { locale, messages, overrides } = current()
    const override = overrides[id]
    if (override !== undefined) {
      try {
        return format(override, locale, values)
      } catch {
        // A text of the page can be no message, or use a value that this message does not have.
      }
    }
    const message = messages[id] ?? english[id]
    if (message === undefined) throw new Error(`The message ${id} is not loaded.`)
    return format(message, locale, values)
  }

  async function prepare(): Promise<void> {
    if (Format !== null) return
    const [{ IntlMessageFormat }, { enScreens }] = await Promise.all([
      import('intl-messageformat'),
      import('./en-screens.ts'),
    ])
    Format = IntlMessageFormat
    english = { ...en, ...enScreens }
  }

  return {
    locale: () => current().locale,
    prepare,
    async activate(locale, messages, overrides = {}) {
      if (!Object.values(overrides).every(message => PLAIN.test(message))) await prepare()
      active = { locale, messages, overrides }
    },
    text: (id, values) => parts(id, values).join(''),
    parts,
  }
}

/** Returns the language with texts that fits best, such as `pt-BR` for `pt`; English if none does. */
export function bestLocale(wanted: string): Locale {
  const lower = wanted.toLowerCase()
  const exact = LOCALES.find(locale => locale.toLowerCase() === lower)
  const language = lower.split('-', 1)[0]!
  return exact ?? LOCALES.find(locale => locale.toLowerCase().split('-', 1)[0] === language) ?? 'en'
}

/** Loads the texts of a language. English is always there. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'de':
      return (await import('./de.ts')).de
    case 'es':
      return (await import('./es.ts')).es
    case 'fr':
      return (await import('./fr.ts')).fr
    case 'pt-BR':
      return (await import('./pt-br.ts')).ptBr
    default:
      return en
  }
}
