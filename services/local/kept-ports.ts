import { readFileSync, writeFileSync } from 'node:fs'
import { freePort } from '@lapwing/dev-servers/free-port'

/**
 * A port for each name: the one it had at the last start where that is free, so that addresses which a tab or a
 * person has noted are good after a restart.
 */
export async function keptPorts(
  file: string,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const last = readPorts(file)
  const ports = Object.fromEntries(
    await Promise.all(names.map(async name => [name, await freePort(last[name])] as const)),
  )
  writeFileSync(file, `${JSON.stringify({ ...last, ...ports }, null, 2)}\n`)
  return ports
}

/** A file that is not there or cannot be read costs nothing but the ports. */
function readPorts(file: string): Readonly<Record<string, number>> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => isPort(entry[1])))
  } catch {
    return {}
  }
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536
}
