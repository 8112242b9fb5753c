import { url } from '@lapwing/config'

/** The configuration variable with the address of a service's database. */
export function databaseEnv(service: string) {
  return {
    databaseUrl: url('DATABASE_URL', {
      schemes: ['postgres:', 'postgresql:'],
      about: 'The database, with the role of this service.',
      example: `postgres://${service}:secret@postgres:5432/lapwing`,
    }),
  }
}
