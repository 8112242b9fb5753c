import { IntlMessageFormat } from 'intl-messageformat'
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
  activate(locale: string, messages: Messages, overrides?: Messages): void
  /** Returns a message as text. Throws before `activate`. */
  text(id: MessageId, values?: Values): string
  /** Returns a message as parts: texts, and what the functions of its tags returned. */
  parts(id: MessageId, values?: Values): readonly unknown[]
}

export function createTexts(): Texts {
  let active: { readonly locale: string; readonly messages: Messages; readonly overrides: Messages } | null =
    null
  const formats = new Map<MessageId, IntlMessageFormat>()

  function current() {
    if (active === null) throw new Error('A text was needed before a locale was set.')
    return active
  }

  function formatOf(id: MessageId): IntlMessageFormat {
    const found = formats.get(id)
    if (found !== undefined) return found
    const { locale, messages, overrides } = current()
    let format: IntlMessageFormat
    try {
      format = new IntlMessageFormat(overrides[id] ?? messages[id] ?? en[id], locale)
    } catch {
      // A page can override a text by one that is no message.
      format = new IntlMessageFormat(messages[id] ?? en[id], locale)
    }
    formats.set(id, format)
    return format
  }

  const parts = (id: MessageId, values?: Values): readonly unknown[] => {
    current()
    try {
      return [formatOf(id).format(values as never)].flat()
    } catch {
      // An override can use a value that the message does not have.
      return [new IntlMessageFormat(en[id], 'en').format(values as never)].flat()
    }
  }
  return {
    locale: () => current().locale,
    activate(locale, messages, overrides = {}) {
      formats.clear()
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
