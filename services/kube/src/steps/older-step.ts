import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteNamespace, type Namespace, openNamespace, renewNamespace } from '../cluster/namespace.ts'
import { deploy, installStores } from '../cluster/release.ts'
import { buildImages } from '../images/build-images.ts'
import { type Image, images, nameOf } from '../images/images.ts'
import { exportOlderVersion, hasOlderVersion, OLDER_COMMIT } from '../older-version.ts'
import type { Step } from '../run-steps.ts'
import { accessOf, clientOf, OLDER, RELEASE, stopClient, type World } from '../world.ts'
import { disturbUnderLoad } from './under-load.ts'

/** Upgrades a release of the version before to this one, and goes back, while drivers use it. */
export const fromOlder: Step<World> = {
  name: 'from-older',
  async run(world) {
    if (!hasOlderVersion(world.rootDir))
      return `not tried: this clone does not have the commit ${OLDER_COMMIT}`
    const dir = await mkdtemp(join(tmpdir(), 'lapwing-older-'))
    try {
      return await upgradeFrom(world, dir)
    } finally {
      await rm(dir, { recursive: true })
    }
  },
}

async function upgradeFrom(world: World, dir: string): Promise<string> {
  const { options, rootDir } = world
  exportOlderVersion(rootDir, dir)
  const tagged = { ...options.images, tag: `${options.images.tag}-older` }
  await buildImages(OLDER_IMAGES, tagged, { ...world, rootDir: dir, load: options.load })
  const namespace = openNamespace(OLDER, accessOf(world))
  await renewNamespace(namespace)
  await installStores(world, namespace)
  await namespace.helm([
    ...['install', RELEASE, join(dir, 'charts/lapwing')],
    `--values=${join(rootDir, 'services/kube/values.yaml')}`,
    ...OLDER_IMAGES.flatMap(image => {
      const [repository, tag] = nameOf(image, tagged).split(/:(?=[^:]*$)/)
      const part = image.name.replace('lapwing/', '')
      return [`--set=${part}.image.repository=${repository}`, `--set-string=${part}.image.tag=${tag}`]
    }),
    ...['--wait', '--timeout=20m'],
  ])
  const client = await clientOf(world, namespace)
  // The older gateway closes an idle connection without a word while a client sends. Browsers send again.
  await client.call('setUp', { scenario: 'mixed', sendsAgain: true })
  const figures = await disturbUnderLoad(world, namespace, {
    load: 'mixed',
    disturb: () => upgradeAndBack(world, namespace),
  })
  const { rows } = await client.call('verify', { scenario: 'mixed' })
  await stopClient(world, namespace)
  await deleteNamespace(namespace)
  return `${figures}; ${rows} laps, none lost, none twice`
}

async function upgradeAndBack(world: World, namespace: Namespace): Promise<string> {
  await deploy(world, namespace, 'upgrade')
  await namespace.helm(['rollback', RELEASE, '--wait', '--timeout=20m'])
  return `from ${OLDER_COMMIT} to this version and back`
}

/** The older version has no backups. */
const OLDER_IMAGES: readonly Image[] = images.filter(({ name }) => name !== 'lapwing/backup')
