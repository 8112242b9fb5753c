import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHelperPod, stopHelperPod } from '../cluster/helper-pod.ts'
import { type Namespace, openNamespace, renewNamespace, untilTrue } from '../cluster/namespace.ts'
import { deploy, installStores } from '../cluster/release.ts'
import type { Step } from '../run-steps.ts'
import { accessOf, clientOf, gatewayImage, MAIN, RELEASE, RESTORED, type World } from '../world.ts'

export const verify: Step<World> = {
  name: 'verify',
  async run(world) {
    const namespace = openNamespace(MAIN, accessOf(world))
    const client = await clientOf(world, namespace)
    const mixed = await client.call('verify', { scenario: 'mixed' })
    const ingest = await client.call('verify', { scenario: 'ingest' })
    const recount = await recountBoards(namespace)
    return `${mixed.rows + ingest.rows} laps, none lost, none twice; ${recount}`
  },
}

export const backup: Step<World> = {
  name: 'backup',
  async run(world) {
    const namespace = openNamespace(MAIN, accessOf(world))
    const { kubectl } = namespace
    const client = await clientOf(world, namespace)
    const { sent: sentBefore } = await client.call('countMails')
    // A mail must wait at the moment of the backup.
    await kubectl(['scale', 'statefulset/stores-mail', '--replicas=0'])
    await kubectl(['wait', 'pod/stores-mail-0', '--for=delete', '--timeout=100s'])
    await client.call('requestMail')
    await untilTrue(async () => (await client.call('countMails')).waiting > 0, {
      ...{ what: 'a mail waits', withinMs: MAILS_WITHIN_MS, signal: world.signal },
    })
    const startMs = performance.now()
    await kubectl(['delete', 'job', BACKUP_JOB, '--ignore-not-found'])
    await kubectl(['create', 'job', BACKUP_JOB, `--from=cronjob/${RELEASE}-backup`])
    await untilJobEnds(world, namespace, BACKUP_JOB)
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
    const said = await kubectl(['logs', `job/${BACKUP_JOB}`])
    await kubectl(['scale', 'statefulset/stores-mail', '--replicas=1'])
    await untilTrue(
      async () => {
        const { sent, waiting } = await client.call('countMails')
        return waiting === 0 && sent > sentBefore
      },
      { what: 'the mail is sent', withinMs: MAILS_WITHIN_MS, signal: world.signal },
    )
    return `${seconds} s; ${readBackupLog(said)}; the mail that waited was sent once`
  },
}

export const restore: Step<World> = {
  name: 'restore',
  async run(world) {
    const from = openNamespace(MAIN, accessOf(world))
    const to = openNamespace(RESTORED, accessOf(world))
    const source = await clientOf(world, from)
    const [boards, drivers] = [await source.call('readBoards'), await source.call('world')]
    await renewNamespace(to)
    await installStores(world, to, await copyOfSecret(from))
    await copyBackups(world, from, to)
    const startMs = performance.now()
    await deploy(world, to, 'install', [
      `--set=backup.volume.existingClaim=${CLAIM}`,
      '--set=backup.restore.from=latest',
    ])
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
    const client = await clientOf(world, to)
    await client.call('adopt', { world: drivers })
    const { sessions } = await client.call('renewSessions')
    const restored = await client.call('readBoards')
    if (restored.sha256 !== boards.sha256) {
      throw new Error(`the boards differ: ${restored.rows} rows after the restore, ${boards.rows} before`)
    }
    const { sent, waiting } = await client.call('countMails')
    if (sent + waiting > 0) throw new Error(`${sent} mails were sent again, and ${waiting} wait`)
    const recount = await recountBoards(to)
    await to.helm(['test', RELEASE, '--timeout=10m'])
    return [
      `restored and ready after ${seconds} s`,
      `${restored.boards} boards with ${restored.rows} rows and the same hash`,
      `${sessions} sessions survive`,
      'no mail sent twice',
      recount,
    ].join('; ')
  },
}

const BACKUP_JOB = 'e2e-backup'
const CLAIM = 'backups'
const COURIER = 'e2e-courier'
/** The levels of an outbox are up to 10 s old, and a mail is tried again after a while. */
const MAILS_WITHIN_MS = 180_000

/** Returns what the log of a backup says of boards and objects, in one line. */
export function readBackupLog(text: string): string {
  const facts = text.split('\n').filter(line => /^(?:boards|objects): \d+(?! so far)\b/.test(line))
  if (facts.length === 0) throw new Error('the log of the backup names no boards')
  return facts.join('; ')
}

/** Recounts every board in the database. Rejects if the recount finds a difference. */
async function recountBoards({ kubectl }: Namespace): Promise<string> {
  await kubectl(['exec', `deployment/${RELEASE}-leaderboard`, '--', 'node', 'src/verify.ts'])
  return 'recount finds no difference'
}

async function untilJobEnds({ signal }: World, { kubectl }: Namespace, job: string): Promise<void> {
  type Conditions = readonly { readonly type: string; readonly status: string }[]
  const conditions = async () => {
    const { status } = JSON.parse(await kubectl(['get', 'job', job, '--output=json'])) as {
      readonly status: { readonly conditions?: Conditions }
    }
    return (status.conditions ?? []).filter(({ status }) => status === 'True').map(({ type }) => type)
  }
  await untilTrue(
    async () => {
      const now = await conditions()
      if (now.includes('Failed')) throw new Error(`${job} failed: ${await kubectl(['logs', `job/${job}`])}`)
      return now.includes('Complete')
    },
    { what: `${job} ends`, withinMs: JOB_WITHIN_MS, signal },
  )
}

const JOB_WITHIN_MS = 10 * 60_000

/** Returns the Secret of the servers for another namespace: the same keys and passwords, as an operator keeps them. */
async function copyOfSecret({ kubectl }: Namespace): Promise<string> {
  const { data } = JSON.parse(await kubectl(['get', 'secret', 'stores-bundled', '--output=json'])) as {
    readonly data: object
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'stores-bundled' }, data })
}

/** Copies the volume of the backups to a new one in another namespace. */
async function copyBackups(world: World, from: Namespace, to: Namespace): Promise<void> {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: CLAIM },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  await to.kubectl(['create', '--filename=-'], { input: JSON.stringify(claim) })
  const image = gatewayImage(world)
  await startHelperPod(from, { name: COURIER, image, claims: { '/backups': `${RELEASE}-backup` } })
  await startHelperPod(to, { name: COURIER, image, claims: { '/backups': CLAIM } })
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-backups-'))
  try {
    const names = await from.kubectl(['exec', COURIER, '--', 'ls', '/backups'])
    for (const name of names.trim().split('\n')) {
      const [there, here] = [`${COURIER}:/backups/${name}`, join(dir, name)]
      // `exec` loses what a pod sent shortly before its command ended (kubernetes/kubectl#1361). `cp` asks for the rest.
      await from.kubectl(['cp', '--retries=10', there, here], { withinMs: JOB_WITHIN_MS })
      await to.kubectl(['cp', here, there], { withinMs: JOB_WITHIN_MS })
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  await stopHelperPod(from, COURIER)
  await stopHelperPod(to, COURIER)
}
