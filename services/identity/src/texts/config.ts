import { ConfigError, integer, optional, type readEnv, text, url, type Variable } from '@lapwing/config'
import { isSupportedCountry } from 'libphonenumber-js/max'

/** How a text travels, in the protocol's words. */
export type TextChannel = 'sms' | 'whatsapp'

/** Variables of texts and of the limits that bound their costs. */
export const textEnv = {
  textApiUrl: optional(
    url('TEXT_API_URL', {
      schemes: ['http:', 'https:'],
      about: 'Address of the messaging provider that each text is posted to; without it there are no texts.',
      example: 'https://api.messaging.example/2010-04-01/Accounts/AC123/Messages.json',
    }),
  ),
  textApiCredentials: text('TEXT_API_CREDENTIALS', {
    about: 'Name and secret of Lapwing at the messaging provider, with a colon between them.',
    example: 'AC123:secret',
    fallback: '',
  }),
  smsSender: text('SMS_SENDER', {
    about: 'Number or id from which SMS are sent; without it codes by SMS are refused.',
    example: '+12015550123',
    fallback: '',
  }),
  whatsappSender: text('WHATSAPP_SENDER', {
    about: 'Number from which WhatsApp messages are sent; without it codes by WhatsApp are refused.',
    example: '+12015550123',
    fallback: '',
  }),
  whatsappTemplate: text('WHATSAPP_TEMPLATE', {
    about: 'Id of the approved WhatsApp template of a code, whose only variable is the code.',
    example: 'HX123',
    fallback: '',
  }),
  textCountries: countries('TEXT_COUNTRIES'),
  textIntervalS: integer('TEXT_INTERVAL_S', {
    min: 15,
    max: 3_600,
    about: 'Seconds between two texts to one number.',
    example: '60',
    fallback: 60,
  }),
  textsPerNumber: integer('TEXTS_PER_NUMBER_PER_DAY', {
    min: 1,
    max: 10_000,
    about: 'Texts a day to one number.',
    example: '10',
    fallback: 10,
  }),
  textsPerNetwork: integer('TEXTS_PER_NETWORK_PER_HOUR', {
    min: 1,
    max: 100_000,
    about: 'Texts an hour that one network address requests: an IPv4 address or an IPv6 /64.',
    example: '10',
    fallback: 10,
  }),
  textsPerDay: integer('TEXTS_PER_DAY', {
    min: 1,
    max: 10_000_000,
    about: 'Texts a day altogether; bounds what a fraud can cost.',
    example: '1000',
    fallback: 1_000,
  }),
}

export interface TextSettings {
  /** Null if no messaging provider is configured. */
  readonly provider: TextProvider | null
  /** Countries of the numbers that get texts, as two letters of ISO 3166. */
  readonly countries: ReadonlySet<string>
  readonly limits: TextCosts
}

/** The messaging provider and its credentials. */
export interface TextProvider {
  readonly url: URL
  readonly credentials: string
  /** Sender by channel; a channel without one is not offered. */
  readonly senders: Readonly<Partial<Record<TextChannel, string>>>
  /** Id of the WhatsApp template of a code; empty to send plain words. */
  readonly whatsappTemplate: string
}

/** Limits against texts that are requested for their price. */
export interface TextCosts {
  /** Milliseconds between two texts to one number. */
  readonly intervalMs: number
  readonly perNumberAndDay: number
  readonly perNetworkAndHour: number
  readonly perDay: number
}

/** Reads the texting settings. Throws a `ConfigError` for an incomplete provider. */
export function readTextSettings(config: ReturnType<typeof readEnv<typeof textEnv>>): TextSettings {
  const { textApiUrl, textApiCredentials: credentials, smsSender, whatsappSender } = config
  const problems: string[] = []
  if (textApiUrl !== null) {
    if (!credentials.includes(':')) problems.push('TEXT_API_CREDENTIALS must be a name and a secret.')
    if (smsSender + whatsappSender === '')
      problems.push('TEXT_API_URL needs SMS_SENDER or WHATSAPP_SENDER beside it.')
  } else if (credentials + smsSender + whatsappSender !== '') {
    problems.push('TEXT_API_URL is missing, while others of the messaging provider are set.')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    provider: textApiUrl && {
      url: textApiUrl,
      credentials,
      senders: {
        ...(smsSender !== '' && { sms: smsSender }),
        ...(whatsappSender !== '' && { whatsapp: whatsappSender }),
      },
      whatsappTemplate: config.whatsappTemplate,
    },
    countries: config.textCountries,
    limits: {
      intervalMs: config.textIntervalS * 1_000,
      perNumberAndDay: config.textsPerNumber,
      perNetworkAndHour: config.textsPerNetwork,
      perDay: config.textsPerDay,
    },
  }
}

function countries(name: string): Variable<ReadonlySet<string>> {
  return {
    name,
    about: 'Countries whose mobile phones get texts, as two letters each, separated by commas.',
    example: 'US,CA,GB,DE',
    // The hosted provider’s own default. Other countries are opened one by one, because prices differ much.
    fallback: { value: new Set(['US', 'CA']) },
    parse(value) {
      const listed = value.split(',').map(item => item.trim())
      return listed.every(country => isSupportedCountry(country))
        ? { value: new Set<string>(listed) }
        : { problem: 'must be countries of two capital letters, separated by commas' }
    },
  }
}
