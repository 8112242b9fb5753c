import { url } from '@lapwing/config'

/** Where a service's database is: one of the variables of its configuration. */
export function databaseEnv(service: string) {
  return {
    databaseUrl: url('DATABASE_URL', {
      schemes: ['postgres:', 'postgresql:'],
      about: 'The database, with the role of this service.',
      example: `postgres://${service}:secret@postgres:5432/lapwing`,
    }),
  }
}
