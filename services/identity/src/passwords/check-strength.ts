import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { MIN_PASSWORD_LENGTH } from './password-strength.ts'

/** Rates a password while a person types it. Stores nothing. */
export function checkPasswordStrength({
  readClient,
  limits,
  strength,
}: Deps): HandlerOf<'checkPasswordStrength'> {
  return async request => {
    await limits.count('strength', readClient(request))
    const { password, email } = request.body
    const verdict = strength.judge(password, email)
    return answer(request, {
      valid_password: verdict.isValid,
      score: verdict.score,
      breached_password: verdict.isBreached,
      breach_detection_on_create: true,
      strength_policy: 'zxcvbn' as const,
      feedback: {
        warning: verdict.warning,
        suggestions: [...verdict.suggestions],
        luds_requirements: {
          has_digit: /\d/.test(password),
          has_lower_case: /\p{Ll}/u.test(password),
          has_upper_case: /\p{Lu}/u.test(password),
          has_symbol: /[^\p{L}\p{N}]/u.test(password),
          missing_characters: Math.max(0, MIN_PASSWORD_LENGTH - [...password.slice(0, 32)].length),
          // Lapwing has no rule about kinds of characters.
          missing_complexity: 0,
        },
      },
    })
  }
}
