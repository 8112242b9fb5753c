/**
 * Copies the body of each request to a file and returns its number of bytes: the least work of a service that
 * receives a file. Argument: folder for the file.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { notifyUrl } from './notify-url.ts'

const [folder = ''] = process.argv.slice(2)
let count = 0

const server = createServer(async (request, response) => {
  const path = join(folder, `copy-${process.pid}-${++count}`)
  const file = createWriteStream(path)
  await pipeline(request, file)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ bytes: file.bytesWritten }))
  await unlink(path)
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
notifyUrl(server, () => server.close())
