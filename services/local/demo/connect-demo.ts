import { join } from 'node:path'
import { openSecrets } from '@lapwing/config/secrets'
import { readRunningFile } from '../running-file.ts'
import { createDemoClient, type DemoAddresses, type DemoClient } from './demo-client.ts'

/** Returns a client of the stack that runs from this folder. Throws for the operator if none runs. */
export async function connectDemo(dataDir: string): Promise<DemoClient> {
  const { upload, ingest, leaderboard } = readRunningFile(dataDir)?.urls ?? {}
  if (upload === undefined || ingest === undefined || leaderboard === undefined) throw notRunning()
  const addresses: DemoAddresses = { upload, ingest, leaderboard }
  const answers = await Promise.all(Object.values(addresses).map(isUp))
  if (answers.includes(false)) throw notRunning()
  return createDemoClient(addresses, openSecrets(join(dataDir, 'secrets.json'))('INTERNAL_KEY'))
}

function notRunning(): Error {
  return new Error(
    'Lapwing does not run from this folder. Start it with `make run`, then run this command again.',
  )
}

async function isUp(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}
