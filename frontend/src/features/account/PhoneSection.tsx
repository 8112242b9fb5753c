import { Phone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { IdentityUser, PhoneChannel, PhoneCodes } from '#shared/session/identity-client.ts'
import { Button } from '#shared/ui/Button.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { ConfirmRemoval } from './ConfirmRemoval.tsx'
import { PhoneForm } from './PhoneForm.tsx'
import { SentCodeForm } from './SentCodeForm.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

/** The rules of all countries are large, so they load with the section. */
const loadNumbers = () => import('./phone-number.ts')

interface PhoneSectionProps extends SectionProps {
  /** Null if this deployment texts no codes. */
  readonly offered: PhoneCodes | null
}

/** A code on its way to a phone. */
interface SentCode {
  readonly id: string
  readonly number: string
  readonly channel: PhoneChannel
}

/** The phone numbers of the account: adds and removes them. */
export function PhoneSection({ account, user, run, offered }: PhoneSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const [sent, setSent] = useState<SentCode | null>(null)
  const { isBusy, act } = useBusyRun(run)
  const phones = user.phone_numbers
  const isShown = offered !== null || phones.length > 0
  const { part: numbers, isFailed, isLoading, retry } = useLazyPart(loadNumbers, isShown)
  if (!isShown) return null
  const isProved = user.emails.every(({ verified }) => verified)
  const format = (number: string) => numbers?.formatPhone(number) ?? number

  return (
    <>
      <hr className="border-line" />
      <section aria-labelledby="phone-numbers" className="space-y-2.5">
        <h3 id="phone-numbers" className="flex items-center gap-2 font-semibold">
          <Phone size={16} aria-hidden className={phones.length > 0 ? 'text-gain' : 'text-muted'} />
          Phone numbers
        </h3>
        <p className="text-muted">
          A code sent to your phone opens your account in sign-ins that offer it. A person who takes over your
          number gets such codes, too. An authenticator app protects you from that.
        </p>
        {phones.length > 0 && (
          <ul className="divide-y divide-line rounded-control border border-line">
            {phones.map(phone => (
              <PhoneRow
                key={phone.phone_id}
                phone={phone}
                shown={format(phone.phone_number)}
                isBusy={isBusy}
                onRemove={() =>
                  act(async () => {
                    await account.identity.removePhone(phone.phone_id)
                    account.notify.success('Phone number removed')
                  })
                }
              />
            ))}
          </ul>
        )}
        {offered === null ? null : !isProved ? (
          <p className="text-xs text-muted">Confirm your email address before you add a number.</p>
        ) : sent !== null ? (
          <SentCodeForm
            sentence={`A ${sent.channel === 'sms' ? 'text' : 'WhatsApp message'} with a code is on its way to ${format(sent.number)}.`}
            label="Code from the phone"
            action="Add this number"
            onSend={async code => {
              account.session.adopt(await account.identity.authenticateCode(code, sent.id))
              account.notify.success('Phone number added')
              setSent(null)
              setAdding(false)
              await run(async () => {})
            }}
            onAgain={() => setSent(null)}
          />
        ) : !isAdding ? (
          <Button onClick={() => setAdding(true)}>Add a phone number</Button>
        ) : numbers !== null ? (
          <PhoneForm
            numbers={numbers}
            offered={offered}
            onSend={async (number, channel) => {
              const id = await account.identity.sendPhoneCode(number, channel)
              setSent({ id, number, channel })
            }}
            onCancel={() => setAdding(false)}
          />
        ) : isFailed ? (
          <div className="flex flex-wrap items-center gap-2">
            <p role="alert">The form could not be loaded.</p>
            <Button isBlocked={isLoading} onClick={retry}>
              Retry
            </Button>
          </div>
        ) : (
          <p role="status" className="text-muted">
            Loading…
          </p>
        )}
      </section>
    </>
  )
}

interface PhoneRowProps {
  readonly phone: IdentityUser['phone_numbers'][number]
  /** The number in groups. */
  readonly shown: string
  readonly isBusy: boolean
  readonly onRemove: () => Promise<void>
}

function PhoneRow({ shown, isBusy, onRemove }: PhoneRowProps) {
  const [isRemoving, setRemoving] = useState(false)
  if (isRemoving) {
    return (
      <li className="p-2.5">
        <ConfirmRemoval
          question={`Remove ${shown}? It opens your account no more.`}
          action="Remove number"
          isBusy={isBusy}
          onCancel={() => setRemoving(false)}
          onConfirm={async () => {
            await onRemove()
            setRemoving(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-1 py-1 pr-1 pl-3">
      <span className="min-w-0 flex-1 truncate tabular-nums">{shown}</span>
      <Button variant="ghost" size="icon" aria-label={`Remove ${shown}`} onClick={() => setRemoving(true)}>
        <Trash2 size={14} aria-hidden />
      </Button>
    </li>
  )
}
