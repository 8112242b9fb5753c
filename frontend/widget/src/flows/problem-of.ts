import {
  ApiError,
  CaptchaError,
  InvalidJsonError,
  SchemaError,
  UnreachableError,
  UsageError,
} from '@lapwing/identity-client/errors'
import type { Problem } from '../machine/machine.ts'

/** Returns what a person reads about a failure. The browser's own messages are not for them. */
export function problemOf(error: unknown): Problem {
  if (error instanceof UnreachableError) return { type: 'error.unreachable', message: error.message }
  if (error instanceof InvalidJsonError) return { type: 'error.invalidJson', message: error.message }
  if (error instanceof CaptchaError) return { type: '', message: error.message }
  if (error instanceof UsageError) return { type: 'error.usage', message: error.message }
  if (error instanceof ApiError || error instanceof SchemaError) {
    return { type: error.type, message: error.message }
  }
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasskeyError') {
    const isCancelled = (error as { readonly isCancelled?: boolean }).isCancelled === true
    return {
      type: isCancelled ? 'passkey.error.none' : 'passkey.error.unknown',
      message: (error as Error).message,
    }
  }
  if (name === 'WalletError') return { type: '', message: (error as Error).message }
  return { type: 'error.unreachable', message: 'Unable to contact our servers.' }
}
