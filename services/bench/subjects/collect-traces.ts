/** Receives traces and forgets them. */
import { createServer } from 'node:http'
import { notifyUrl } from './notify-url.ts'

const server = createServer((request, response) => {
  request
    .resume()
    .once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
server.listen(0, '127.0.0.1', () => notifyUrl(server, () => process.exit(0)))
