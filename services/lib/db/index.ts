export { answerUnavailable, isUnavailable } from './answer-unavailable.ts'
export { createDb, type DbOptions, isUniqueViolation } from './create-db.ts'
export { migrateToLatest } from './migrate.ts'
export { provision, serviceUrl } from './provision.ts'
