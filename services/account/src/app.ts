import { join } from 'node:path'
import type { operations } from '@lapwing/contracts/account'
import contract from '@lapwing/contracts/account.json' with { type: 'json' }
import { eventLevels } from '@lapwing/events'
import { createService } from '@lapwing/service'
import { deleteAccount } from './accounts/delete-account.ts'
import { createCheckout, createPortal } from './billing/open-page.ts'
import { type Config, loadConfig } from './config.ts'
import { getConsent, setConsent } from './consents/consent.ts'
import { createDeps, type Deps } from './deps.ts'
import { errors } from './errors.ts'
import { checkUsername } from './usernames/check-username.ts'
import { getUsername } from './usernames/get-username.ts'
import { setUsername } from './usernames/set-username.ts'

export const service = createService<Config, Deps, operations>({
  name: 'account',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  migrations: join(import.meta.dirname, '../migrations'),
  levels: ({ db, subscribers }) => eventLevels(db as never, subscribers),
  handlers: deps => ({
    getUsername: getUsername(deps),
    setUsername: setUsername(deps),
    checkUsername: checkUsername(deps),
    getConsent: getConsent(deps),
    setConsent: setConsent(deps),
    deleteAccount: deleteAccount(deps),
    createCheckout: createCheckout(deps),
    createPortal: createPortal(deps),
  }),
})
