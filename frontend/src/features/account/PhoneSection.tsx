import type { PhoneChannel, PhoneCodes } from '@lapwing/identity-client/contract'
import { createPhoneCodes } from '@lapwing/identity-client/phone'
import { createUsers } from '@lapwing/identity-client/users'
import { Phone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { AccountSection } from './AccountSection.tsx'
import { LateNotice } from './LateNotice.tsx'
import { PhoneForm } from './PhoneForm.tsx'
import { RemovableRow } from './RemovableRow.tsx'
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
  const codes = createPhoneCodes(account.client)
  const phones = user.phone_numbers
  const isShown = offered !== null || phones.length > 0
  const { part: numbers, isFailed, isLoading, retry } = useLazyPart(loadNumbers, isShown)
  if (!isShown) return null
  const isProved = user.emails.every(({ verified }) => verified)
  const format = (number: string) => numbers?.formatPhone(number) ?? number

  return (
    <AccountSection id="phone-numbers" title="Phone numbers" icon={Phone} isOn={phones.length > 0}>
      <p className="text-muted">
        A code sent to your phone opens your account in sign-ins that offer it. A person who takes over your
        number gets such codes, too. An authenticator app protects you from that.
      </p>
      {phones.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {phones.map(phone => (
            <RemovableRow
              key={phone.phone_id}
              name={format(phone.phone_number)}
              question={`Remove ${format(phone.phone_number)}? It opens your account no more.`}
              action="Remove number"
              isBusy={isBusy}
              onRemove={() =>
                act(async () => {
                  await createUsers(account.client).removePhone(phone.phone_id)
                  account.notify.success('Phone number removed')
                })
              }
            >
              <span className="min-w-0 flex-1 truncate tabular-nums">{format(phone.phone_number)}</span>
            </RemovableRow>
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
            account.session.adopt(await codes.authenticate({ token: code, method_id: sent.id }))
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
            const { method_id: id } = await codes.send(channel, {
              phone_number: number,
              expiration_minutes: 10,
              ...(channel === 'sms' && { enable_autofill: true }),
            })
            setSent({ id, number, channel })
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <LateNotice
          problem="The form could not be loaded."
          isFailed={isFailed}
          isLoading={isLoading}
          onRetry={retry}
        />
      )}
    </AccountSection>
  )
}
