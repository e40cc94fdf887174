import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Selectable } from 'kysely'

import { MINUTE } from '../../../../lib/time-units.js'
import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { CacheArchiveTable } from '../../../database/tables/caches.js'
import type { BlobStore, ByteRange, DownloadHeaders } from '../blob-store.js'
import { expectedDownloadUrl, readExpected } from '../read-expected.js'
import { evictCaches } from './evict-caches.js'

export type CachedArchive = Selectable<CacheArchiveTable>

/** Identifies one cache. The coordinator determines `isProtected` from the job. */
export interface CacheId {
  projectId: number
  isProtected: boolean
  key: string
}

export interface CacheLimits {
  /** Limit of one archive. */
  maxBytes: number
  /** Limit for all archives of a project; the least recently used ones are evicted. */
  projectMaxBytes: number
}

/** Milliseconds between two records of the last use of a cache. */
const USE_INTERVAL = MINUTE

/**
 * Archives of caches: a row with the metadata and a blob with the bytes. As with artifacts, the blob is
 * written before its row and deleted after it. A save replaces the old archive atomically. If two saves run
 * at the same time, the one that ends last wins.
 */
export class Caches {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    readonly limits: CacheLimits,
  ) {}

  /** Throws `BlobTooLargeError` as soon as `body` is longer than one archive may be. */
  async save(cache: CacheId, content: string | undefined, body: Readable): Promise<CachedArchive> {
    const blobKey = `${folderOf(cache.projectId)}/${randomUUID()}`
    const stored = await this.blobs.write(blobKey, body, this.largest())
    const now = Date.now()
    const facts = { ...stored, content: content ?? null, blob_key: blobKey, created_at: now, used_at: now }
    try {
      const row = await this.replace(cache, facts)
      await evictCaches(this.database, this.blobs, { row, projectMaxBytes: this.limits.projectMaxBytes })
      return row
    } catch (error) {
      // For example, the project was deleted in the meantime.
      if (!(await this.isInUse(blobKey))) await this.blobs.delete(blobKey)
      throw error
    }
  }

  async find({ projectId, isProtected, key }: CacheId): Promise<CachedArchive | undefined> {
    const [archive] = await archiveAt(this.database, { projectId, isProtected, digest: tokenDigest(key) })
    return archive
  }

  /** Opens the bytes (`readExpected`). Throws `BlobMissingError` also if the cache was replaced since `find`. */
  async open(archive: CachedArchive, range?: ByteRange): Promise<Readable> {
    return readExpected(this.blobs, archive.blob_key, archive, range)
  }

  /** An address at which the store sends the bytes itself, if it does. */
  downloadUrl(archive: CachedArchive, headers: DownloadHeaders): Promise<string | undefined> {
    return expectedDownloadUrl(this.blobs, archive.blob_key, archive, headers)
  }

  /** Records a use of the archive, which protects it from eviction. */
  async recordUse({ id, used_at }: CachedArchive, now = Date.now()): Promise<void> {
    if (used_at >= now - USE_INTERVAL) return
    await this.database
      .updateTable('cache_archive')
      .set({ used_at: now })
      .where('id', '=', id)
      .where('used_at', '<', now - USE_INTERVAL)
      .execute()
  }

  /** Deletes all caches of a project. A save that is running may store one afterwards. */
  async clearProject(projectId: number): Promise<void> {
    const deleted = await this.database
      .deleteFrom('cache_archive')
      .where('project_id', '=', projectId)
      .returning('blob_key')
      .execute()
    for (const { blob_key } of deleted) await this.blobs.delete(blob_key)
  }

  /** False if there is no such cache of the project. */
  async deleteOne(projectId: number, id: number): Promise<boolean> {
    const deleted = await this.database
      .deleteFrom('cache_archive')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .returning('blob_key')
      .executeTakeFirst()
    if (!deleted) return false
    await this.blobs.delete(deleted.blob_key)
    return true
  }

  /** Deletes the bytes of a project whose rows are deleted. */
  async deleteProject(projectId: number): Promise<void> {
    await this.blobs.deleteBelow(folderOf(projectId))
  }

  private largest(): number {
    return Math.min(this.limits.maxBytes, this.limits.projectMaxBytes)
  }

  /** Another save may run between any two steps here, so each step checks its own preconditions. */
  private async replace(
    cache: CacheId,
    facts: Omit<CachedArchive, 'id' | 'project_id' | 'protected' | 'key' | 'key_digest'>,
  ): Promise<CachedArchive> {
    for (;;) {
      const before = await this.find(cache)
      const row = before ? await this.update(before, facts) : await this.insert(cache, facts)
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
    { projectId, isProtected, key }: CacheId,
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

  /** Whether a cache has these bytes. */
  async isInUse(blobKey: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('cache_archive')
      .select('id')
      .where('blob_key', '=', blobKey)
      .executeTakeFirst()
    return row !== undefined
  }
}

interface Place extends Record<string, Placeholder<unknown>> {
  projectId: Placeholder<number>
  isProtected: Placeholder<boolean>
  digest: Placeholder<string>
}

const archiveAt = preparedRead((database, { projectId, isProtected, digest }: Place) =>
  database
    .selectFrom('cache_archive')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('protected', '=', isProtected)
    .where('key_digest', '=', digest),
)

function folderOf(projectId: number): string {
  return `caches/${projectId}`
}
