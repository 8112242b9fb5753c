import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@lapwing/dev-servers/child'
import { freePort } from '@lapwing/dev-servers/free-port'

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

/** Bytes of its answer, about a page of a board. */
const ANSWER = JSON.stringify({ rows: Array.from({ length: 20 }, (_, rank) => ({ rank, name: 'A driver' })) })

/**
 * Starts nginx with one worker on one processor. It answers everything with the same 700 bytes, or passes
 * requests on to `upstream`.
 *
 * @param processor number of the processor, from 0
 */
export async function startNginx(processor: number, upstream: string | null): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, port, processor, upstream))
  const child = await startChild({
    command: 'nginx',
    args: ['-c', file, '-p', folder, '-e', 'stderr'],
    ready: /start worker process /,
    readyWithinMs: 10_000,
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, processor: number, upstream: string | null): string {
  const location =
    upstream === null
      ? `default_type application/json; return 200 '${ANSWER}';`
      : 'proxy_pass http://upstream; proxy_http_version 1.1; proxy_set_header Connection "";'
  const server = upstream && `upstream upstream { server ${new URL(upstream).host}; keepalive 128; }`
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  return `
daemon off; error_log stderr notice; pid ${folder}/pid; worker_processes 1; worker_cpu_affinity ${'1'.padEnd(processor + 1, '0')};
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000; ${folders.join(' ')}
  ${server ?? ''}
  server { listen 127.0.0.1:${port}; location / { ${location} } }
}`
}
