/** Makes the role and the schema of the service whose `DATABASE_URL` it is, as the database's owner. */
import { readEnv, url } from '@lapwing/config'
import { provision } from '@lapwing/db'

const schemes = ['postgres:', 'postgresql:']
const { owner, own } = readEnv(
  {
    owner: url('DATABASE_OWNER_URL', {
      schemes,
      about: 'The database, with the role that owns it.',
      example: 'postgres://postgres:secret@127.0.0.1:5432/postgres',
    }),
    own: url('DATABASE_URL', {
      schemes,
      about: 'The same with the role of the service.',
      example: 'postgres://identity:secret@127.0.0.1:5432/postgres',
    }),
  },
  process.env,
)
await provision(owner.href, [
  { service: decodeURIComponent(own.username), password: decodeURIComponent(own.password) },
])
