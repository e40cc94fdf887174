import type { S3Settings } from './s3/s3-settings.js'

/**
 * Where the caches of an entry are kept. `automatic`: at the coordinator if it keeps caches, else in a folder of this
 * machine.
 */
export type CacheSettings = {
  /** Larger archives are kept on this machine alone; 0 = no limit. */
  maximumUploadBytes: number
} & (
  | { kind: 'automatic' }
  | { kind: 'local' }
  | {
      kind: 's3'
      /** In front of each object's name; may be empty. */
      prefix: string
      /** Whether the runners that use the bucket share what is in it. */
      isShared: boolean
      s3: S3Settings
    }
)
