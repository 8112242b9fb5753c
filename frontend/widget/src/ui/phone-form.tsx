import { useEffect, useRef, useState } from 'react'
import type { ReadNumber } from '../flows/flows.ts'
import { type Country, DEFAULT_COUNTRY } from '../phone/phone-parser.ts'
import { useWidget } from './context.ts'
import { Field, Form, Submit } from './parts.tsx'

/** A form with a country and a number. `onNumber` receives what reads the number. */
export function PhoneForm({
  id,
  label,
  onNumber,
}: {
  readonly id: string
  readonly label: string
  readonly onNumber: (read: ReadNumber) => Promise<unknown>
}) {
  const { parser, bootstrap, texts } = useWidget()
  const [countries, setCountries] = useState<readonly Country[]>([DEFAULT_COUNTRY])
  /** The same for text that was typed before they were known. */
  const known = useRef(countries)
  const [country, setCountry] = useState(DEFAULT_COUNTRY)
  const offered = bootstrap?.phone_codes?.countries

  useEffect(() => {
    let isShown = true
    parser.countries(offered ?? []).then(found => {
      if (!isShown || found.length === 0) return
      known.current = found
      setCountries(found)
      setCountry(before => found.find(({ code }) => code === before.code) ?? found[0]!)
    })
    return () => {
      isShown = false
    }
  }, [parser, offered])

  /** Formats a longer text. A shorter one would get its brackets back, and could not be deleted. */
  const typed = useRef('')
  const format = async (element: HTMLInputElement) => {
    const text = element.value
    const isLonger = text.length > typed.current.length && element.selectionStart === text.length
    typed.current = text
    if (!isLonger) return
    const { national, country: found } = await parser.format(text, country)
    const next = known.current.find(({ code }) => code === found)
    // Without its calling code, the number would be one of the chosen country.
    if (element.value !== text || next === undefined) return
    element.value = national
    typed.current = national
    setCountry(next)
  }

  return (
    <Form id={id} onSend={field => onNumber(() => parser.read(field('phone'), country))}>
      <Field
        form={id}
        label={texts.text('field.phone.label')}
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder={texts.text('field.phone.placeholder')}
        className="phone"
        required
        data-focus
        onInput={event => void format(event.currentTarget)}
        before={
          <select
            aria-label={texts.text('field.country.label')}
            autoComplete="tel-country-code"
            value={country.code}
            onChange={event =>
              setCountry(countries.find(({ code }) => code === event.target.value) ?? country)
            }
          >
            {countries.map(({ code, dialCode }) => (
              <option key={code} value={code}>
                {`${code} +${dialCode}`}
              </option>
            ))}
          </select>
        }
      />
      <Submit id={id}>{label}</Submit>
    </Form>
  )
}
