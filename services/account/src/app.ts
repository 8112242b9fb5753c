import type { operations } from '@lapwing/contracts/account'
import contract from '@lapwing/contracts/account.json' with { type: 'json' }
import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import { answerUnavailable } from '@lapwing/db'
import { addHealth, allowOnly, createApp, keepNoAnswer } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { deleteAccount } from './accounts/delete-account.ts'
import { createCheckout, createPortal } from './billing/open-page.ts'
import { getConsent, setConsent } from './consents/consent.ts'
import type { Deps } from './deps.ts'
import { errors } from './errors.ts'
import { checkUsername } from './usernames/check-username.ts'
import { getUsername } from './usernames/get-username.ts'
import { setUsername } from './usernames/set-username.ts'

export function buildApp(deps: Deps, logger: Logger): FastifyInstance {
  const app = createApp({ service: 'account', errors, logger, bodyLimit: 16 * 1024 })
  addHealth(app, {
    database: async () => {
      await sql`select 1`.execute(deps.db)
      return true
    },
  })
  const handlers: Handlers<operations> = {
    getUsername: getUsername(deps),
    setUsername: setUsername(deps),
    checkUsername: checkUsername(deps),
    getConsent: getConsent(deps),
    setConsent: setConsent(deps),
    deleteAccount: deleteAccount(deps),
    createCheckout: createCheckout(deps),
    createPortal: createPortal(deps),
  }
  keepNoAnswer(app)
  bindContract(app, contract, answerUnavailable(handlers, 'account.busy'), {
    onAddress: (url, methods) => allowOnly(app, 'account', url, methods),
  })
  return app
}
