import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Selectable } from 'kysely'

import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import type { CacheArchiveTable } from '../../../database/tables/caches.js'
import type { BlobStore, ByteRange } from '../blob-store.js'
import { evictCaches } from './evict-caches.js'

export type CachedArchive = Selectable<CacheArchiveTable>

/** What names one cache; `isProtected` is what the coordinator knows of the job. */
export interface CachePlace {
  projectId: number
  isProtected: boolean
  key: string
}

export interface CacheLimits {
  /** Of one archive. */
  maxBytes: number
  /** Of all archives of a project; those that were not used for longest make room. */
  projectMaxBytes: number
}

/** Milliseconds between two notes that a cache is in use. */
const USE_INTERVAL = 60_000

/**
 * Archives of caches: a row that says what, a blob that holds the bytes. As with artifacts, the blob is written before
 * its row and deleted after it. A save replaces what was there in one step; of two at a time, the one that ends last
 * stays.
 */
export class Caches {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    readonly limits: CacheLimits,
  ) {}

  /** Throws `BlobTooLargeError` as soon as `body` is longer than one archive may be. */
  async save(place: CachePlace, content: string | undefined, body: Readable): Promise<CachedArchive> {
    const blobKey = `${folderOf(place.projectId)}/${randomUUID()}`
    const stored = await this.blobs.write(blobKey, body, this.largest())
    const now = Date.now()
    const facts = { ...stored, content: content ?? null, blob_key: blobKey, created_at: now, used_at: now }
    try {
      const row = await this.replace(place, facts)
      await evictCaches(this.database, this.blobs, { row, projectMaxBytes: this.limits.projectMaxBytes })
      return row
    } catch (error) {
      // The project went away meanwhile, for example.
      if (!(await this.isInUse(blobKey))) await this.blobs.delete(blobKey)
      throw error
    }
  }

  async find(place: CachePlace): Promise<CachedArchive | undefined> {
    return this.at(place).selectAll().executeTakeFirst()
  }

  /** The bytes. Throws `BlobMissingError` when the cache was replaced since `find`. */
  async open(archive: CachedArchive, range?: ByteRange): Promise<Readable> {
    return this.blobs.read(archive.blob_key, range)
  }

  /** Notes that somebody uses the archive, which keeps it from being evicted. */
  async recordUse({ id }: CachedArchive, now = Date.now()): Promise<void> {
    await this.database
      .updateTable('cache_archive')
      .set({ used_at: now })
      .where('id', '=', id)
      .where('used_at', '<', now - USE_INTERVAL)
      .execute()
  }

  /** The bytes of a project whose rows are gone. */
  async deleteProject(projectId: number): Promise<void> {
    await this.blobs.deleteBelow(folderOf(projectId))
  }

  private largest(): number {
    return Math.min(this.limits.maxBytes, this.limits.projectMaxBytes)
  }

  /** Another save may come between any two steps here, so that each says what it takes for granted. */
  private async replace(
    place: CachePlace,
    facts: Omit<CachedArchive, 'id' | 'project_id' | 'protected' | 'key' | 'key_digest'>,
  ): Promise<CachedArchive> {
    for (;;) {
      const before = await this.find(place)
      const row = before ? await this.update(before, facts) : await this.insert(place, facts)
      if (!row) continue
      if (before) await this.blobs.delete(before.blob_key)
      return row
    }
  }

  private update(
    before: CachedArchive,
    facts: Partial<Omit<CachedArchive, 'id'>>,
  ): Promise<CachedArchive | undefined> {
    return this.database
      .updateTable('cache_archive')
      .set(facts)
      .where('id', '=', before.id)
      .where('blob_key', '=', before.blob_key)
      .returningAll()
      .executeTakeFirst()
  }

  private insert(
    { projectId, isProtected, key }: CachePlace,
    facts: Omit<CachedArchive, 'id' | 'project_id' | 'protected' | 'key' | 'key_digest'>,
  ): Promise<CachedArchive | undefined> {
    return this.database
      .insertInto('cache_archive')
      .values({
        ...facts,
        project_id: projectId,
        protected: isProtected,
        key,
        key_digest: tokenDigest(key),
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'protected', 'key_digest']).doNothing())
      .returningAll()
      .executeTakeFirst()
  }

  private async isInUse(blobKey: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('cache_archive')
      .select('id')
      .where('blob_key', '=', blobKey)
      .executeTakeFirst()
    return row !== undefined
  }

  private at({ projectId, isProtected, key }: CachePlace) {
    return this.database
      .selectFrom('cache_archive')
      .where('project_id', '=', projectId)
      .where('protected', '=', isProtected)
      .where('key_digest', '=', tokenDigest(key))
  }
}

function folderOf(projectId: number): string {
  return `caches/${projectId}`
}
