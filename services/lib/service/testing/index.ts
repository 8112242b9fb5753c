export {
  type Answer,
  type Call,
  type CallOptions,
  createCall,
  internalKey,
  sendEvent,
  signService,
} from './calls.ts'
export { checkCodes } from './check-codes.ts'
export { type MigratedDatabase, migratedDatabase, silentLogger } from './migrated-database.ts'
