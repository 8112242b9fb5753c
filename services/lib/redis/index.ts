export { connectRedis, logAbsence } from './connect-redis.ts'
export { openRedis, RedisUnavailable, type SharedRedis } from './open-redis.ts'
