/** Runs a stack of one tiny service in the given folder, prints the service's process id, and waits. */
import { join } from 'node:path'
import { startStack } from '../start-stack.ts'

const running = await startStack({
  parts: [
    {
      name: 'back',
      entry: 'services/local/testing/tiny-service.ts',
      needs: [],
      answers: ['/'],
      env: () => ({}),
    },
  ],
  rootDir: join(import.meta.dirname, '../../..'),
  dataDir: process.argv[2]!,
  publicPort: 0,
  publicHost: '127.0.0.1',
  env: {},
  say: line => console.error(line),
})
console.log(running.pids().back)
