import type { PasswordStrength } from '@lapwing/identity-client/contract'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { Account } from './account.ts'
import { describeStrength } from './describe-strength.ts'

interface StrengthMeterProps {
  readonly account: Pick<Account, 'client'>
  readonly email: string
  readonly password: string
}

/** Milliseconds without a key press before the request is sent. */
const DEBOUNCE_MS = 500

/**
 * Shows the provider's rating of a password. The bars are empty before the first answer: if they came with it, the
 * button of the form would move while the driver presses it.
 */
export function StrengthMeter({ account, email, password }: StrengthMeterProps) {
  const strength = useStrength(account, email, password)
  if (password === '') return null
  const { bars, word, advice } = strength ? describeStrength(strength) : NO_RATING
  return (
    <div>
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="flex flex-1 gap-1">
          {[1, 2, 3, 4].map(bar => (
            <span
              key={bar}
              className={clsx(
                'h-1 flex-1 rounded-full',
                bar > bars ? 'bg-line' : bars <= 1 ? 'bg-loss' : bars === 2 ? 'bg-warning' : 'bg-gain',
              )}
            />
          ))}
        </span>
        <span className="text-muted">
          {word !== '' && <span className="sr-only">Password strength: </span>}
          {/* A space that keeps the height of the line. */}
          {word || '\u00a0'}
        </span>
      </div>
      {advice && <p className="pt-1 text-muted">{advice}</p>}
    </div>
  )
}

const NO_RATING = { bars: 0, word: '', advice: null } as const

function useStrength({ client }: Pick<Account, 'client'>, email: string, password: string) {
  const [known, setKnown] = useState<{
    readonly password: string
    readonly strength: PasswordStrength
  } | null>(null)
  useEffect(() => {
    if (password === '') return
    let isCurrent = true
    const timer = setTimeout(async () => {
      // Without an answer there is no rating. The provider checks the password again when it is sent.
      const strength = await createPasswords(client)
        .checkStrength({ ...(email && { email }), password })
        .catch(() => null)
      if (isCurrent && strength) setKnown({ password, strength })
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, email, password])
  // Keeps the last rating until the next one arrives, so that the form does not jump at each key press.
  return known?.strength ?? null
}
