/**
 * `node prepare.ts`: creates the role and the schema of each service, and a bucket that accepts posts from
 * the page. A second run changes nothing.
 */
import { readEnv, text, url } from '@lapwing/config'
import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { provision } from '@lapwing/db'
import { bucketAddress, prepareBucket, storeEnv } from '@lapwing/object-store'
import { SERVICES } from './services.ts'

await runOperatorCommand(async () => {
  const config = readEnv(
    {
      ...storeEnv,
      owner: url('DATABASE_OWNER_URL', {
        schemes: ['postgres:', 'postgresql:'],
        about: 'The database, with the role that owns it.',
        example: 'postgres://postgres:secret@postgres:5432/lapwing',
      }),
      origins: text('ALLOWED_ORIGINS', {
        about: 'Pages that may post files to the bucket, separated by commas.',
        example: 'http://localhost:8080',
      }),
      account: password('account'),
      identity: password('identity'),
      upload: password('upload'),
      ingest: password('ingest'),
      leaderboard: password('leaderboard'),
    },
    process.env,
  )
  await provision(
    config.owner.href,
    SERVICES.map(service => ({ service, password: config[service] })),
  )
  await prepareBucket(bucketAddress(config), { origins: config.origins.split(',') })
  console.log(`prepared: ${SERVICES.join(', ')}, bucket ${config.s3Bucket}`)
  return 0
})

function password(service: (typeof SERVICES)[number]) {
  return text(`${service.toUpperCase()}_PASSWORD`, {
    about: `Password of the role ${service}.`,
    example: 'the output of: openssl rand -base64 30',
  })
}
