import { collectLess } from '@lapwing/files/collect-less'
import { service } from './app.ts'

collectLess()
await service.run()
