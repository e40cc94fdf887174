import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Selectable } from 'kysely'

import { isMissingFile, namesIn, readIfThere } from '../../../lib/files.js'
import { HOUR, MINUTE } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import type { StoredLogTable } from '../../database/tables/stored-logs.js'
import type { BlobStore, ByteRange } from './blob-store.js'
import { KeyLock } from './key-lock.js'
import { readExpected } from './read-expected.js'
import { unlessDeleted } from './unless-deleted.js'

type Row = Selectable<StoredLogTable>

/** A log that is complete in the blob store. */
export type StoredLog = Row & { blob_key: string }

interface LogOwner {
  id: number
  project_id: number
}

/** Files of a log that is to be stored. */
interface LogFiles {
  log: string
  /** Optional. */
  times: string
  /** Optional. */
  steps: string
}

/** Milliseconds after which a claim that was not renewed is that of a killed coordinator, and between two renewals. */
const CLAIM_LIFETIME = MINUTE
const CLAIM_RENEWAL = 20_000
/** A copy is deleted when it was not read for this time, in milliseconds, because its log may have been deleted. */
const COPY_LIFETIME = HOUR
/** Bytes of all copies. */
const COPIES_MAX_BYTES = 2 * 1024 ** 3
/** Milliseconds between two records of the use of a copy. */
const USE_INTERVAL = MINUTE

/**
 * Logs of finished jobs in the blob store. A row names the blob of each. The steps of a move are safe against a kill,
 * other coordinators that move the same log, and its deletion:
 *
 * 1. A row claims the move. A claim that was not renewed for a minute may be taken over.
 * 2. The files are opened and stored as blobs.
 * 3. The row names the blobs, unless it was deleted or taken over: then the blobs are deleted.
 * 4. The files are deleted.
 *
 * A deletion removes the files of a log first, and its row afterwards: either the move finds no file at step 2, or no
 * row at step 3. Readers look for the file first, and for the row afterwards.
 *
 * A stored log whose lines are read is copied into a folder, which also holds its index.
 */
export class StoredLogs {
  private readonly copyLock = new KeyLock<number>()

  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    /** Folder of the copies. */
    private readonly folder: string,
  ) {}

  async find({ id }: LogOwner): Promise<StoredLog | undefined> {
    const row = await this.row(id)
    return row && isComplete(row) ? row : undefined
  }

  /** The bytes, or the part `range` of them. Undefined if the log is not in the store. */
  async read(job: LogOwner, range?: ByteRange): Promise<Readable | undefined> {
    const stored = await this.find(job)
    if (!stored) return undefined
    const { blob_key: key, size } = stored
    return unlessDeleted(
      () => readExpected(this.blobs, key, { size }, range),
      async () => (await this.find(job))?.blob_key === key,
    )
  }

  /**
   * Stores the files of a log. Returns whether the log is in the store, so that the files are not needed any longer; else
   * there is no file, or somebody else stores it.
   */
  async add(job: LogOwner, files: LogFiles): Promise<boolean> {
    const before = await this.row(job.id)
    const size = await sizeOf(files.log)
    if (size === undefined) return false
    // A move that was killed before its last step. A longer file has got a late patch.
    if (before && isComplete(before) && before.size >= size) return true
    const key = `traces/${job.project_id}/${job.id}/${randomUUID()}`
    if (!(await this.claim(job, before, key))) return false
    const timesKey = `${key}-times`
    const renewal = setInterval(() => void this.renew(job, key), CLAIM_RENEWAL)
    try {
      const hasTimes = await this.store(files, { key, timesKey })
      const isStored =
        hasTimes !== undefined &&
        (await sizeOf(files.log)) === size &&
        (await this.complete(job, key, {
          size,
          times_key: hasTimes ? timesKey : null,
          steps: (await readIfThere(files.steps)) ?? null,
        }))
      if (isStored) {
        if (before) await this.deleteBlobs(before)
        return true
      }
    } catch (error) {
      await this.giveUp(job, key, timesKey)
      throw error
    } finally {
      clearInterval(renewal)
    }
    await this.giveUp(job, key, timesKey)
    return false
  }

  /** Path of a local copy of the log, with the times of its bytes beside it if they are known. */
  async copyOf(stored: StoredLog): Promise<string> {
    const path = this.copyPath(stored.project_id, stored.job_id)
    return this.copyLock.run(stored.job_id, async () => {
      const known = await statOf(path)
      if (known?.size === stored.size) {
        const now = new Date()
        if (now.getTime() - known.mtimeMs > USE_INTERVAL) await utimes(path, now, now)
        return path
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if (stored.times_key !== null) await this.download(stored.times_key, path.replace(/log$/, 'times'))
      await this.download(stored.blob_key, path, stored.size)
      return path
    })
  }

  /** Deletes a log that is in the store or on its way there. Its files must be deleted. */
  async delete({ id, project_id }: LogOwner): Promise<void> {
    const row = await this.database
      .deleteFrom('stored_log')
      .where('job_id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row) await this.deleteBlobs(row)
    await this.deleteCopy(this.copyPath(project_id, id))
  }

  async deleteProject(projectId: number): Promise<void> {
    await this.database.deleteFrom('stored_log').where('project_id', '=', projectId).execute()
    await this.blobs.deleteBelow(`traces/${projectId}`)
    await rm(join(this.folder, String(projectId)), { recursive: true, force: true })
  }

  /** Periodic task: deletes copies that were not read for an hour, and the oldest ones if they take too much space. */
  async deleteOldCopies(now = Date.now()): Promise<void> {
    const copies: { path: string; usedAt: number; size: number }[] = []
    for (const project of await namesIn(this.folder)) {
      for (const name of await namesIn(join(this.folder, project))) {
        if (!name.endsWith('.log')) continue
        const path = join(this.folder, project, name)
        const found = await statOf(path)
        if (found) copies.push({ path, usedAt: found.mtimeMs, size: found.size })
      }
    }
    let bytes = 0
    for (const { path, usedAt, size } of copies.toSorted((one, other) => other.usedAt - one.usedAt)) {
      bytes += size
      if (bytes > COPIES_MAX_BYTES || now - usedAt > COPY_LIFETIME) await this.deleteCopy(path)
    }
  }

  private row(jobId: number): Promise<Row | undefined> {
    return this.database.selectFrom('stored_log').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  }

  /** False if somebody else stores the log. */
  private async claim(job: LogOwner, before: Row | undefined, key: string): Promise<boolean> {
    const now = Date.now()
    if (!before) {
      const { numInsertedOrUpdatedRows } = await this.database
        .insertInto('stored_log')
        .values({
          job_id: job.id,
          project_id: job.project_id,
          upload_key: key,
          upload_started_at: now,
          size: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    }
    if (before.upload_key !== null && now - (before.upload_started_at ?? 0) < CLAIM_LIFETIME) return false
    const { numUpdatedRows } = await this.database
      .updateTable('stored_log')
      .set({ upload_key: key, upload_started_at: now })
      .where('job_id', '=', job.id)
      .where('upload_key', before.upload_key === null ? 'is' : '=', before.upload_key)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  /** If a renewal fails, somebody else may store the log too. `complete` finds out whether the claim was taken over. */
  private async renew({ id }: LogOwner, key: string): Promise<void> {
    await this.database
      .updateTable('stored_log')
      .set({ upload_started_at: Date.now() })
      .where('job_id', '=', id)
      .where('upload_key', '=', key)
      .execute()
      .catch(() => undefined)
  }

  /** Whether there are times. Undefined if the log was deleted. */
  private async store(
    files: LogFiles,
    { key, timesKey }: { key: string; timesKey: string },
  ): Promise<boolean | undefined> {
    return unlessMissing(async () => {
      await this.blobs.storeFile(key, files.log)
      return (
        (await unlessMissing(async () => {
          await this.blobs.storeFile(timesKey, files.times)
          return true
        })) ?? false
      )
    })
  }

  /** False if the row was deleted, or the claim was taken over. */
  private async complete(
    { id }: LogOwner,
    key: string,
    facts: Pick<Row, 'size' | 'times_key' | 'steps'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('stored_log')
      .set({ ...facts, blob_key: key, upload_key: null, upload_started_at: null })
      .where('job_id', '=', id)
      .where('upload_key', '=', key)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  private async giveUp({ id }: LogOwner, key: string, timesKey: string): Promise<void> {
    await this.blobs.delete(key)
    await this.blobs.delete(timesKey)
    const own = this.database.deleteFrom('stored_log').where('job_id', '=', id)
    await own.where('upload_key', '=', key).where('blob_key', 'is', null).execute()
    await this.database
      .updateTable('stored_log')
      .set({ upload_key: null, upload_started_at: null })
      .where('job_id', '=', id)
      .where('upload_key', '=', key)
      .execute()
  }

  private async deleteBlobs({ upload_key, blob_key, times_key }: Row): Promise<void> {
    for (const key of [upload_key, upload_key && `${upload_key}-times`, blob_key, times_key]) {
      if (key !== null) await this.blobs.delete(key)
    }
  }

  private async download(key: string, path: string, size?: number): Promise<void> {
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      const body = size === undefined ? await this.blobs.read(key) : await this.blobs.readWhole(key, { size })
      await pipeline(body, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }))
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  private async deleteCopy(log: string): Promise<void> {
    for (const ending of ['log', 'times', 'index']) {
      await rm(log.replace(/log$/, ending), { force: true })
    }
  }

  private copyPath(projectId: number, jobId: number): string {
    return join(this.folder, String(projectId), `${jobId}.log`)
  }
}

function isComplete(row: Row): row is StoredLog {
  return row.blob_key !== null
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size
}

function statOf(path: string) {
  return unlessMissing(() => stat(path))
}

async function unlessMissing<T>(use: () => Promise<T>): Promise<T | undefined> {
  try {
    return await use()
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}
