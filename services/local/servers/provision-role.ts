/** Creates the role and the schema of the service that `DATABASE_URL` names, as the database's owner. */
import { readEnv, url } from '@lapwing/config'
import { provision } from '@lapwing/db'

const SCHEMES = ['postgres:', 'postgresql:']
const { owner, own } = readEnv(
  {
    owner: url('DATABASE_OWNER_URL', {
      schemes: SCHEMES,
      about: 'The database, with the role that owns it.',
      example: 'postgres://postgres:secret@127.0.0.1:5432/postgres',
    }),
    own: url('DATABASE_URL', {
      schemes: SCHEMES,
      about: 'The same database, with the role of the service.',
      example: 'postgres://identity:secret@127.0.0.1:5432/postgres',
    }),
  },
  process.env,
)
const service = decodeURIComponent(own.username)
try {
  await provision(owner.href, [{ service, password: decodeURIComponent(own.password) }])
} catch (error) {
  // The operator has to fix a wrong address or missing rights: print a sentence without a stack trace.
  const { message, code } = error as { readonly message?: string; readonly code?: string }
  console.error(`The role "${service}" could not be created in the database: ${message || code}`)
  process.exit(1)
}
