import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startHelperPod, stopHelperPod } from '../cluster/helper-pod.ts'
import type { ClusterAccess, Namespace } from '../cluster/namespace.ts'
import { bundleClient } from './bundle-client.ts'
import type { ClientCalls, ClientName, ClientReply, ClientRequest } from './protocol.ts'

/** A client that runs in a namespace. */
export interface Client {
  /** Rejects with the client's reason, or if the client is gone. Calls are answered one after the other. */
  readonly call: <Name extends ClientName>(
    name: Name,
    ...args: Parameters<ClientCalls[Name]>
  ) => Promise<ReturnType<ClientCalls[Name]>>
  readonly stop: () => Promise<void>
}

const POD = 'e2e-client'

/** Starts the client in a pod with this image, which must have Node. */
export async function startClient(
  namespace: Namespace,
  image: string,
  { env }: ClusterAccess,
): Promise<Client> {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-kube-client-'))
  try {
    await bundleClient(folder)
    await namespace.kubectl(['delete', 'configmap', POD, '--ignore-not-found'])
    await namespace.kubectl(['create', 'configmap', POD, `--from-file=${folder}`])
  } finally {
    rmSync(folder, { recursive: true })
  }
  await startHelperPod(namespace, { name: POD, image, configMaps: { '/client': POD } })
  const { name } = namespace
  const inPod = ['exec', '--stdin', POD, '--', 'node', '/client/client.mjs', 'http://lapwing-gateway']
  const child = spawn('kubectl', ['--namespace', name, ...inPod], { env })
  return connectClient(child, name, () => stopHelperPod(namespace, POD))
}

/** Connects with a client that runs as a child process. `where` is part of the error after it ended. */
export function connectClient(
  child: ChildProcessWithoutNullStreams,
  where: string,
  onStop: () => Promise<void> = async () => {},
): Client {
  const waiting: PromiseWithResolvers<ClientReply>[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-1_000)
  })
  createInterface({ input: child.stdout }).on('line', line => {
    waiting.shift()?.resolve(JSON.parse(line) as ClientReply)
  })
  // A client that is gone is reported by its calls.
  child.stdin.on('error', () => {})
  child.once('error', error => {
    errors = error.message
  })
  child.once('close', () => {
    for (const { reject } of waiting.splice(0)) reject(gone())
  })
  const gone = () => new Error(`the client in ${where} is gone: ${errors.trim()}`)
  return {
    async call(call, ...args) {
      if (child.exitCode !== null) throw gone()
      const reply = Promise.withResolvers<ClientReply>()
      waiting.push(reply)
      const request: ClientRequest = { call, args: args[0] ?? null }
      child.stdin.write(`${JSON.stringify(request)}\n`)
      const answer = await reply.promise
      if ('error' in answer) throw new Error(answer.error)
      return answer.result as never
    },
    async stop() {
      child.stdin.end()
      await onStop()
    },
  }
}
