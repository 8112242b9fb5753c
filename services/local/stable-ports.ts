import { readFileSync, writeFileSync } from 'node:fs'
import { freePort } from '@lapwing/dev-servers/free-port'

/**
 * Returns a port for each name and stores the ports in `file`. It reuses the port of the last start if that
 * is free, so that noted addresses and open tabs work after a restart.
 */
export async function stablePorts(
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

/** Returns no ports if the file is missing or unreadable. */
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
