export { type BaseDeps, createBaseDeps, openDatabase } from './base-deps.ts'
export { createService, type Service, type ServiceDeps } from './create-service.ts'
