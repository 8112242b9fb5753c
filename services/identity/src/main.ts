import { service } from './app.ts'

await service.run()
