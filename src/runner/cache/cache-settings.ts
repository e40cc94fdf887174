import type { S3Settings } from '../../s3/s3-settings.js'

/**
 * Where the caches of a registration are stored. `automatic` means at the coordinator if it stores caches, else in
 * a folder of this machine.
 */
export type CacheSettings = {
  /** Larger archives are stored on this machine only. 0 means no limit. */
  maximumUploadBytes: number
} & (
  | { kind: 'automatic' }
  | { kind: 'local' }
  | {
      kind: 's3'
      /** Prefix of each object name. May be empty. */
      prefix: string
      /** Whether the runners that use the bucket share its content. */
      isShared: boolean
      s3: S3Settings
    }
)
