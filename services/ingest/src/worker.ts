import { collectLess } from '@lapwing/files/collect-less'
import { worker } from './worker-app.ts'

collectLess()
await worker.run()
