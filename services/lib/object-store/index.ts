export type { TakePart } from './download.ts'
export {
  type BucketAddress,
  type ContentType,
  createObjectStore,
  type GetOptions,
  type ObjectContent,
  type ObjectFacts,
  type ObjectStore,
  type PostForm,
  type StoreLimits,
} from './object-store.ts'
export { prepareBucket } from './prepare-bucket.ts'
export { createStoreCheck } from './store-check.ts'
export { bucketAddress, storeEnv } from './store-env.ts'
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts'
