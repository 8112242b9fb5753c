// Runs http-proxy. Arguments: the server's address, and the folder with its package.
import { Agent, createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [answerUrl, folder] = process.argv.slice(2)
const httpProxy = createRequire(join(folder, 'package.json'))('http-proxy')
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
const proxy = httpProxy.createProxyServer({ target: answerUrl, agent })
const server = createServer((request, response) => proxy.web(request, response))
process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
