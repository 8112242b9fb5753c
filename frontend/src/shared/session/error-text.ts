import { ClientError } from '@lapwing/identity-client/errors'

/**
 * Returns the message of a failed call for the driver: the provider's sentence, otherwise the error's own,
 * otherwise ours. The browser's messages about our own mistakes are not for the driver.
 */
export function errorText(error: unknown, fallback: string): string {
  const isOurs = !(error instanceof Error) || error instanceof TypeError || error instanceof SyntaxError
  const sentence = isOurs ? '' : error instanceof ClientError ? error.sentence : error.message
  return sentence.trim() || fallback
}
