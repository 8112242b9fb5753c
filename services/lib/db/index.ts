export { createDb, type DbOptions, isUniqueViolation } from './create-db.ts'
export { migrateToLatest } from './migrate.ts'
export { provision, serviceUrl } from './provision.ts'
