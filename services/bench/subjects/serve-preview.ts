/**
 * Runs the preview service and watches its event loop. `start` begins to measure the loop's delay. `stop`
 * returns the 99th percentile and the maximum since then, ms. Uses the service's own variables.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectLess } from '@lapwing/files/collect-less'
import { createLogger } from '@lapwing/http'
import { service } from '@lapwing/preview/src/app.ts'
import { loadConfig } from '@lapwing/preview/src/config.ts'
import { notifyUrl } from './notify-url.ts'

collectLess()
const config = loadConfig(process.env)
const app = await service.start(config, createLogger('preview', 'warn'))
const delay = monitorEventLoopDelay({ resolution: 5 })

process.on('message', message => {
  if (message === 'start') {
    delay.reset()
    delay.enable()
    process.send!('started')
  } else {
    delay.disable()
    process.send!({ p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 })
  }
})

await app.listen({ host: '127.0.0.1', port: 0 })
notifyUrl(app.server, () => app.close())
