import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Stores the last mails in memory and as one file each in `folder`, so that they survive a restart. Evicts
 * the oldest mails beyond the limits.
 */
export function openMailStore({ folder, maxMails, maxBytes }: MailStoreOptions) {
  mkdirSync(folder, { recursive: true })
  // Oldest first: the ids begin with the time of arrival.
  const mails = new Map<string, Mail>()
  let bytes = 0
  for (const mail of readAll(folder)) index(mail)

  function index(mail: Mail): void {
    mails.set(mail.id, mail)
    bytes += mail.sizeBytes
    for (const oldest of mails.values()) {
      if (mails.size <= maxMails && bytes <= maxBytes) break
      drop(oldest)
    }
  }

  function drop(mail: Mail): void {
    if (mails.delete(mail.id)) bytes -= mail.sizeBytes
    rmSync(join(folder, `${mail.id}.json`), { force: true })
  }

  return {
    add(mail: Mail): void {
      // Renamed into place, so that a crash never leaves half a mail.
      const path = join(folder, `${mail.id}.json`)
      writeFileSync(`${path}.new`, JSON.stringify(mail))
      renameSync(`${path}.new`, path)
      index(mail)
    },
    /** Newest first. */
    find: ({ to, words }: { readonly to?: string | undefined; readonly words?: string | undefined }) =>
      [...mails.values()]
        .reverse()
        .filter(mail => (to === undefined || isTo(mail, to)) && (words === undefined || has(mail, words))),
    get: (id: string) => mails.get(id),
    remove(wanted: (mail: Mail) => boolean): void {
      for (const mail of [...mails.values()].filter(wanted)) drop(mail)
    },
  }
}

export interface MailStoreOptions {
  readonly folder: string
  readonly maxMails: number
  /** Of all mails together, as received. */
  readonly maxBytes: number
}

export type MailStore = ReturnType<typeof openMailStore>

export interface Mail {
  /** Sorts by time of arrival. */
  readonly id: string
  readonly receivedAt: string
  readonly from: string
  /** The recipients of the delivery, including hidden ones. Numbers if it is a text. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** Null if the mail has plain text only. */
  readonly html: string | null
  readonly attachments: readonly { readonly name: string; readonly sizeBytes: number }[]
  readonly sizeBytes: number
  /** How a text came. Left out for mails. */
  readonly channel?: TextChannel
}

export type TextChannel = 'sms' | 'whatsapp'

let lastMs = 0

/** Returns the id and the time of a mail that arrives now. */
export function newArrival(): Pick<Mail, 'id' | 'receivedAt'> {
  // Strictly increasing, so that ids sort by arrival even within a millisecond.
  lastMs = Math.max(Date.now(), lastMs + 1)
  return {
    id: `${String(lastMs).padStart(15, '0')}-${randomUUID().slice(0, 8)}`,
    receivedAt: new Date(lastMs).toISOString(),
  }
}

/** Returns whether the mail went to this address. Ignores case. */
export function isTo(mail: Mail, address: string): boolean {
  return mail.to.some(recipient => recipient.toLowerCase() === address.trim().toLowerCase())
}

function has(mail: Mail, words: string): boolean {
  const text = [mail.subject, mail.from, ...mail.to, mail.text].join('\n').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

function readAll(folder: string): readonly Mail[] {
  const mails: Mail[] = []
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    const mail = name.endsWith('.json') ? read(path) : null
    // Left by a crash or an older version.
    if (mail !== null && `${mail.id}.json` === name) mails.push(mail)
    else rmSync(path, { force: true, recursive: true })
  }
  return mails
}

function read(path: string): Mail | null {
  try {
    const mail = JSON.parse(readFileSync(path, 'utf8')) as Partial<Mail> | null
    const isMail =
      typeof mail?.id === 'string' &&
      Array.isArray(mail.to) &&
      mail.to.every(address => typeof address === 'string') &&
      typeof mail.text === 'string' &&
      typeof mail.subject === 'string' &&
      typeof mail.from === 'string' &&
      typeof mail.sizeBytes === 'number'
    return isMail ? (mail as Mail) : null
  } catch {
    return null
  }
}
