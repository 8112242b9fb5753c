import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import { IdentityError } from '../errors.ts'
import { MAX_PASSWORD_LENGTH } from './password-hasher.ts'

export const MIN_PASSWORD_LENGTH = 8

export interface PasswordVerdict {
  readonly isValid: boolean
  /** 0 (guessed immediately) to 4. */
  readonly score: number
  readonly isBreached: boolean
  readonly warning: string
  readonly suggestions: readonly string[]
}

export interface PasswordStrength {
  /** @param email counts as easy to guess, like its parts */
  judge(password: string, email?: string): PasswordVerdict
  /** Returns whether the password is among the most used ones of public leaks. */
  isBreached(password: string): boolean
  /** Throws `breached_password` or `weak_password` for a password that is not allowed. */
  require(password: string, email?: string): void
}

/**
 * Characters of a password that zxcvbn checks, and substituted letters (`@` for `a`) that it considers
 * together. With both limits a check takes at most 30 ms of one core. Without them it takes two seconds
 * and blocks all other requests. The scores are the same.
 */
const JUDGED_LENGTH = 64
const MAX_SUBSTITUTIONS = 2

/**
 * Creates a check by zxcvbn. Its list of breached passwords has the 49,000 most used ones from public
 * leaks and needs no network.
 */
export function createPasswordStrength({ minScore }: { readonly minScore: number }): PasswordStrength {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: JUDGED_LENGTH,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  })
  const breached = new Set(common.dictionary['passwords-common'].map(String))

  const isBreached = (password: string) => breached.has(password) || breached.has(password.toLowerCase())

  function judge(password: string, email?: string): PasswordVerdict {
    const length = [...password.slice(0, 2 * MAX_PASSWORD_LENGTH + 2)].length
    const guessable = [
      'lapwing',
      'iracing',
      ...(email === undefined ? [] : [email, ...email.split(/[@.+_-]/)]),
    ]
    const { score, feedback } = zxcvbn.check(password.slice(0, JUDGED_LENGTH), guessable.filter(Boolean))
    return {
      isValid:
        length >= MIN_PASSWORD_LENGTH &&
        length <= MAX_PASSWORD_LENGTH &&
        !isBreached(password) &&
        score >= minScore,
      score,
      isBreached: isBreached(password),
      warning: feedback.warning ?? '',
      suggestions: feedback.suggestions,
    }
  }

  return {
    judge,
    isBreached,
    require(password, email) {
      const length = [...password.slice(0, 2 * MAX_PASSWORD_LENGTH + 2)].length
      if (length < MIN_PASSWORD_LENGTH) {
        throw new IdentityError('weak_password', { message: 'Password must be at least 8 characters.' })
      }
      if (length > MAX_PASSWORD_LENGTH) {
        throw new IdentityError('weak_password', { message: 'Password must be at most 1,024 characters.' })
      }
      const verdict = judge(password, email)
      if (verdict.isBreached) throw new IdentityError('breached_password')
      if (!verdict.isValid) throw new IdentityError('weak_password')
    },
  }
}
