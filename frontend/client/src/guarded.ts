import { checkInput } from './check-input.ts'
import { CaptchaError } from './errors.ts'
import type { Transport } from './transport.ts'

/** What proves to a hosted provider that a person sends the call. */
export interface CaptchaProof {
  readonly captcha_token?: string
  readonly dfp_telemetry_id?: string
}

/**
 * Adds what pages of other people need to a transport. It rejects bodies with members of wrong types, with
 * `UsageError`. If the server asks for a captcha, it sends the call once more, with the proof of a captcha service.
 */
export function guarded(transport: Transport, captcha: (() => Promise<CaptchaProof>) | undefined): Transport {
  const { call } = transport
  return {
    ...transport,
    async call(method, path, body, token) {
      if (body) checkInput(path, body)
      try {
        return await call(method, path, body, token)
      } catch (error) {
        if (!(error instanceof CaptchaError) || !captcha) throw error
        const proof = await captcha().catch((cause: unknown) => {
          throw new CaptchaError(cause)
        })
        return call(method, path, { ...body, ...proof }, token)
      }
    },
  }
}
