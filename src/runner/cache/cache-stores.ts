import { join } from 'node:path'

import { tokenDigest } from '../../lib/tokens.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import { S3Client } from '../../s3/s3-client.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import { shortToken } from '../client/runner-info.js'
import type { CacheSettings } from './cache-settings.js'
import type { CacheStore, RemoteStore } from './cache-store.js'
import { CoordinatorStore } from './coordinator-store.js'
import { LocalFolder } from './local-folder.js'
import { LocalStore } from './local-store.js'
import { MirroredStore } from './mirrored-store.js'
import { S3Store } from './s3/s3-store.js'

/** Selects the store for the caches of each job of one registration. */
export interface CacheStores {
  storeFor(payload: JobPayload, options: { hasHashedKeys: boolean }): CacheStore
}

export interface CacheStoresDeps {
  registration: { url: string; token: string; cache: CacheSettings }
  /** Data directory of the runner. Caches are in `cache` below it. */
  dataDir: string
  temporaryDir: string
  client: Pick<CoordinatorClient, 'callForJob' | 'follow'>
}

export function createCacheStores({
  registration,
  dataDir,
  temporaryDir,
  client,
}: CacheStoresDeps): CacheStores {
  const { cache } = registration
  const root = join(dataDir, 'cache', coordinatorFolder(registration.url))
  const local = new LocalStore(new LocalFolder(join(root, 'local')), temporaryDir)
  const s3 =
    cache.kind === 's3' ? new S3Client(cache.s3, { timeoutSetting: 'CACHE_REQUEST_TIMEOUT' }) : undefined

  function mirrored(remote: RemoteStore, folder: string): CacheStore {
    const copies = new LocalFolder(join(root, folder))
    return new MirroredStore(remote, copies, { temporaryDir, maximumUpload: cache.maximumUploadBytes })
  }

  return {
    storeFor: (payload, { hasHashedKeys }) => {
      if (cache.kind === 's3' && s3) {
        const runner = cache.isShared ? undefined : shortToken(registration.token)
        const keys = { prefix: cache.prefix, runner, isHashed: hasHashedKeys }
        // Another bucket, or another location in it, is another store. Each store has its own local copies.
        const name = tokenDigest(JSON.stringify([cache.s3.serverAddress, cache.s3.bucketName, keys]))
        return mirrored(new S3Store(s3, keys), `s3-${name.slice(0, 16)}`)
      }
      return isAtCoordinator(cache.kind, payload)
        ? mirrored(new CoordinatorStore(client, payload), 'coordinator')
        : local
    },
  }
}

/**
 * A coordinator that stores caches makes them work across machines without set-up. It reports that as a feature.
 */
function isAtCoordinator(kind: CacheSettings['kind'], { features }: JobPayload): boolean {
  return kind === 'automatic' && features?.coordinator_cache === true
}

/**
 * Project IDs are unique within one coordinator only. The registrations of one coordinator share the caches of its
 * projects.
 */
function coordinatorFolder(url: string): string {
  return tokenDigest(url.replace(/\/+$/, '')).slice(0, 16)
}
