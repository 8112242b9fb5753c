import type { PhoneChannel, PhoneCodes } from '@lapwing/identity-client/contract'
import { useMemo, useRef, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { Select } from '#shared/ui/Select.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import { useSubmit } from './use-submit.ts'

interface PhoneFormProps {
  readonly numbers: typeof import('./phone-number.ts')
  readonly offered: PhoneCodes
  readonly onSend: (number: string, channel: PhoneChannel) => Promise<void>
  readonly onCancel: () => void
}

const CHANNEL_LABELS: Readonly<Record<PhoneChannel, string>> = {
  sms: 'Send a code by text',
  whatsapp: 'Send a code by WhatsApp',
}

/** Asks for a phone number and sends a code to it. */
export function PhoneForm({ numbers, offered, onSend, onCancel }: PhoneFormProps) {
  const countries = useMemo(() => numbers.phoneCountries(offered.countries), [numbers, offered])
  const [country, setCountry] = useState(() => numbers.firstCountry(countries, navigator.languages))
  const [first] = offered.channels
  const channel = useRef<PhoneChannel>(first ?? 'sms')
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => numbers.readTypedPhone(text('phone-number'), country, countries),
    check: phone => ('problem' in phone ? phone.problem : null),
    async send(phone) {
      if ('number' in phone) await onSend(phone.number, channel.current)
    },
    fallback: 'The code could not be sent. Please try again.',
  })
  /** Shows the number in the groups of its country. A number with a plus chooses its country. */
  const tidy = (field: HTMLInputElement) => {
    const phone = numbers.readTypedPhone(field.value, country, countries)
    if ('problem' in phone) return
    field.value = phone.national
    setCountry(phone.country)
  }
  return (
    <form noValidate {...form} className="space-y-2.5">
      <div className="space-y-1">
        <p aria-hidden className="font-semibold">
          Country
        </p>
        <Select
          label="Country"
          value={country}
          onValueChange={code => {
            setCountry(code)
            setProblem(null)
          }}
          options={countries.map(({ code, label }) => ({ value: code, label }))}
        />
      </div>
      <TextField
        label="Phone number"
        name="phone-number"
        type="tel"
        autoFocus
        autoComplete="tel"
        placeholder={country === 'US' || country === 'CA' ? '(123) 456-7890' : ''}
        maxLength={32}
        onBlur={event => tidy(event.currentTarget)}
      />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <div className="flex flex-wrap gap-2">
        {offered.channels.map(offer => (
          <Button
            key={offer}
            type="submit"
            variant={offer === first ? 'primary' : 'secondary'}
            aria-disabled={isBusy}
            onClick={() => {
              channel.current = offer
            }}
          >
            {isBusy && channel.current === offer ? 'Sending...' : CHANNEL_LABELS[offer]}
          </Button>
        ))}
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
