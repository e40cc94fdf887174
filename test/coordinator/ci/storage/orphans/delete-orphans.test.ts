import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { describe, expect, test } from 'vitest'

import type { BlobStore } from '../../../../../src/coordinator/ci/storage/blob-store.js'
import { FolderBlobStore } from '../../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { MigratingBlobStore } from '../../../../../src/coordinator/ci/storage/migrating-blob-store.js'
import {
  deleteOrphans,
  deleteOrphansWhenDue,
  type OrphanDeps,
} from '../../../../../src/coordinator/ci/storage/orphans/delete-orphans.js'
import { markOrphan } from '../../../../../src/coordinator/ci/storage/orphans/orphan-marks.js'
import type { Database } from '../../../../../src/coordinator/database/connect.js'
import { setAppearance } from '../../../../../src/coordinator/database/stores/appearance-store.js'
import { copyObject, storeObject } from '../../../../../src/coordinator/hosting/lfs/objects.js'
import { createLogger } from '../../../../../src/lib/logger.js'
import { keysOf } from '../../../../support/blob-store-suite.js'
import { BLOB_STORES, openS3, openStoreIn } from '../../../../support/blob-stores.js'
import { describeOnEachDatabase, openSqlite } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { insertRunningJob } from '../../../support/running-job.js'
import { openEngine } from '../../engine/support/engine.js'
import { addProject } from '../../engine/support/records.js'

/** What was written in the test is older. */
const TOMORROW = new Date(Date.now() + 48 * 3600_000)
const OID = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' // of "foo"
const FOO = { oid: OID, size: 3 }

async function put(blobs: BlobStore, ...keys: string[]): Promise<void> {
  for (const key of keys) await blobs.write(key, Readable.from([Buffer.from(key)]))
}

async function* foo(): AsyncGenerator<Buffer> {
  yield Buffer.from('foo')
}

function sweep(
  database: Database,
  blobs: BlobStore,
  changes: Partial<OrphanDeps> = {},
  olderThan = TOMORROW,
) {
  const deps: OrphanDeps = {
    database,
    blobs,
    logger: createLogger('test', 'silent'),
    owner: 'me',
    onDeleted: () => undefined,
    mayGoOn: () => Promise.resolve(true),
    ...changes,
  }
  return deleteOrphans(deps, olderThan, new AbortController().signal)
}

/** Rows of every kind that name a blob, and the keys of these. */
async function namedBlobs(database: Database, projectId: number, userId: number): Promise<string[]> {
  const common = { project_id: projectId, created_at: 1 }
  const of = (name: string) => `projects/${projectId}/${name}`
  await insertRunningJob(database, { projectId, userId })
  const { id: jobId } = await database.selectFrom('job').select('id').executeTakeFirstOrThrow()
  const keys = {
    artifact: `artifacts/${projectId}/${jobId}/a`,
    report: `artifacts/${projectId}/${jobId}/b`,
    cache: `caches/${projectId}/a`,
    secure: of('secure-files/a'),
    log: `traces/${projectId}/${jobId}/a`,
    times: `traces/${projectId}/${jobId}/a-times`,
    moving: `traces/${projectId}/${jobId}/b`,
    movingTimes: `traces/${projectId}/${jobId}/b-times`,
    upload: of('uploads/secret'),
    object: of(`lfs/${OID}`),
    finished: of('exports/1.tar.gz'),
    stale: of('exports/0.tar.gz'),
    requested: of('exports/2.tar.gz'),
    archive: of('imports/archive.tar.gz'),
    avatar: of('avatar/a.png'),
    avatarOfUser: `users/${userId}/avatar/a.png`,
    logo: 'appearance/1/a.png',
  }
  await database
    .insertInto('stored_log')
    .values({
      job_id: jobId,
      project_id: projectId,
      size: 1,
      blob_key: keys.log,
      times_key: keys.times,
      upload_key: keys.moving,
      upload_started_at: 1,
    })
    .execute()
  await database
    .insertInto('cache_archive')
    .values({
      ...common,
      protected: false,
      key: 'a',
      key_digest: 'a',
      content: null,
      size: 1,
      sha256: '',
      blob_key: keys.cache,
      used_at: 1,
    })
    .execute()
  await database
    .insertInto('secure_file')
    .values({ ...common, name: 'a', size: 1, sha256: '', blob_key: keys.secure, seal: '' })
    .execute()
  await database
    .insertInto('project_upload')
    .values({
      ...common,
      uploader_id: null,
      secret: 'secret',
      size: 1,
      filename: 'a',
      content_type: 'text/plain',
    })
    .execute()
  await database
    .insertInto('lfs_object')
    .values({ ...common, ...FOO })
    .execute()
  await database
    .insertInto('project_export')
    .values({ project_id: projectId, requested_at: 2, blob_key: keys.finished, stale_key: keys.stale })
    .execute()
  await database
    .insertInto('project_import')
    .values({ ...common, user_id: userId, archive_key: keys.archive })
    .execute()
  await database.updateTable('project').set({ avatar_key: keys.avatar }).where('id', '=', projectId).execute()
  await database
    .insertInto('user_profile')
    .values({ user_id: userId, avatar_key: keys.avatarOfUser, updated_at: 1 })
    .execute()
  const file = { file_type: 'archive', file_format: 'zip', filename: 'a', size: 1, sha256: '' } as const
  await database
    .insertInto('job_artifact')
    .values({ ...common, ...file, job_id: jobId, blob_key: keys.artifact })
    .execute()
  const counts = { total_time: 0, success_count: 0, failed_count: 0, skipped_count: 0, error_count: 0 }
  await database
    .insertInto('test_report')
    .values({ ...counts, job_id: jobId, blob_key: keys.report, created_at: 1 })
    .execute()
  await setAppearance(database, { logo: { name: 'a.png', key: keys.logo } })
  return Object.values(keys)
}

describeOnEachDatabase('blobs without a row', (open) => {
  test('are deleted, and those of every kind that rows name stay', async () => {
    const { store, project, user } = await openEngine(open)
    const { blobs } = await openS3()
    const named = await namedBlobs(store.database, project.id, user.id)
    const orphans = named.map((key) => `${key.replace(/[^/]+$/, '')}orphan`)
    orphans.push('groups/1/avatar/orphan.png', 'storage-check/1', 'artifacts/1/2/of-a-deleted-job')
    const unknown = ['packages/1/of-another-version', `projects/${project.id}/wiki/1`, 'notes']
    await put(blobs, ...named, ...orphans, ...unknown)
    const deleted: string[] = []
    await sweep(store.database, blobs, { onDeleted: ({ key }) => deleted.push(key) })
    expect(deleted.toSorted()).toEqual([...new Set(orphans)].toSorted())
    expect(await keysOf(blobs)).toEqual([...named, ...unknown].toSorted())
    expect(await store.database.selectFrom('orphaned_blob').selectAll().execute()).toEqual([])
  })

  testAtNight('are not deleted while a row that names them is being written', async () => {
    const { store, project } = await openEngine(open)
    const { blobs } = await openS3()
    const key = `projects/${project.id}/lfs/${OID}`
    await put(blobs, key)
    // Another upload of the same object, at each step of the deletion.
    const upload = () => storeObject({ database: store.database, blobs }, project.id, FOO, foo())
    const racing = (method: 'find' | 'delete', when: 'before' | 'after'): BlobStore =>
      new Proxy(blobs, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          if (name !== method) return value.bind(target) as unknown
          return async (...args: unknown[]) => {
            if (when === 'before') await expect(upload()).rejects.toMatchObject({ status: 503 })
            const result: unknown = await value.apply(target, args)
            if (when === 'after') await expect(upload()).rejects.toMatchObject({ status: 503 })
            return result
          }
        },
      })
    for (const method of ['find', 'delete'] as const) {
      for (const when of ['before', 'after'] as const) {
        await put(blobs, key)
        await sweep(store.database, racing(method, when))
        const row = await store.database.selectFrom('lfs_object').selectAll().executeTakeFirst()
        expect(row).toBeUndefined()
      }
    }
    await upload()
    await sweep(store.database, blobs)
    expect(await keysOf(blobs)).toEqual([key])
  })
})

describe.each(BLOB_STORES)('in a %s, blobs without a row', (_name, openBlobs) => {
  test('stay for a day', async () => {
    const { database } = await openSqlite()
    const blobs = await openBlobs()
    await put(blobs, 'caches/1/a')
    await sweep(database, blobs, {}, new Date(Date.now() - 60_000))
    expect(await keysOf(blobs)).toEqual(['caches/1/a'])
    await sweep(database, blobs)
    expect(await keysOf(blobs)).toEqual([])
  })
})

describe('blobs without a row', () => {
  test('that are copies of older files are as young as the copy', async () => {
    const { database } = await openSqlite()
    const root = await tempDir()
    const blobs = new FolderBlobStore(root)
    await put(blobs, 'caches/1/a')
    await utimes(join(root, 'caches/1/a'), 0, 0)
    await blobs.copy('caches/1/a', 'caches/2/a')
    await sweep(database, blobs, {}, new Date(Date.now() - 60_000))
    expect(await keysOf(blobs)).toContain('caches/2/a')
  })

  test('are deleted in both places while blobs are moved, copies of a move that was interrupted too', async () => {
    const { database } = await openSqlite()
    const { blobs: current } = await openS3()
    const previous = new FolderBlobStore(await tempDir())
    await put(current, 'caches/1/copied', 'caches/1/of-deleted')
    await put(previous, 'caches/1/copied', 'caches/1/left')
    await sweep(database, new MigratingBlobStore(current, previous))
    expect(await keysOf(current)).toEqual([])
    expect(await keysOf(previous)).toEqual([])
  })

  test('of a write that loses a blob to the deletion are reported, and a copy is made again', async () => {
    const { store, project, user } = await openEngine(openSqlite)
    const { blobs } = await openS3()
    const deps = { database: store.database, blobs }
    const copy = await addProject(store.database, user)
    await storeObject(deps, project.id, FOO, foo())
    const [object] = await store.database.selectFrom('lfs_object').selectAll().execute()
    const key = `projects/${copy.id}/lfs/${OID}`
    let isDeleted = false
    const exists = blobs.exists.bind(blobs)
    // The blob is deleted between the commit of the row and the look at the blob.
    blobs.exists = async (asked) => {
      if (!isDeleted) await blobs.delete(asked)
      isDeleted = true
      return exists(asked)
    }
    await copyObject(deps, object!, copy.id)
    expect(await exists(key)).toBe(true)
    expect(await store.database.selectFrom('lfs_object').select('project_id').execute()).toHaveLength(2)
  })

  test('of another installation in the same bucket stay until its bucket is taken over', async () => {
    const { database } = await openSqlite()
    const { server, blobs: live } = await openS3()
    const restored = await openStoreIn(server)
    await live.claim('live')
    await put(live, 'caches/1/newer-than-the-backup')
    await sweep(database, restored, { owner: 'restored' })
    expect(await keysOf(live)).toEqual(['caches/1/newer-than-the-backup'])
    expect(await restored.claim('restored', true)).toBe(true)
    await sweep(database, live, { owner: 'live' })
    expect(await keysOf(live)).toHaveLength(1)
    await sweep(database, restored, { owner: 'restored' })
    expect(await keysOf(live)).toEqual([])
    expect([...server.objects.keys()]).toEqual(['ci/blobs/.switchyard-owner'])
  })

  test('stay if the coordinator is not in charge, and are compared every six hours', async () => {
    const { database } = await openSqlite()
    const { server, blobs } = await openS3()
    const logger = createLogger('test', 'silent')
    const deps = { database, blobs, logger, owner: 'me', onDeleted: () => undefined }
    const signal = new AbortController().signal
    const age = () => {
      for (const object of server.objects.values()) object.modifiedAt = new Date(Date.now() - 25 * 3600_000)
    }
    await put(blobs, 'caches/1/a')
    age()
    await deleteOrphansWhenDue({ ...deps, mayGoOn: () => Promise.resolve(false) }, signal)
    expect(await keysOf(blobs)).toHaveLength(1)
    const due = { ...deps, mayGoOn: () => Promise.resolve(true) }
    await deleteOrphansWhenDue(due, signal)
    expect(await keysOf(blobs)).toEqual([])
    await put(blobs, 'caches/1/b')
    age()
    await deleteOrphansWhenDue(due, signal)
    expect(await keysOf(blobs)).toHaveLength(1)
  })

  test('keep their mark if the deletion fails, and are deleted when it is an hour old', async () => {
    const { database } = await openSqlite()
    const { server, blobs } = await openS3()
    await put(blobs, 'caches/1/a')
    server.misbehave(({ method }) => method === 'DELETE', { status: 403 })
    await expect(sweep(database, blobs)).rejects.toThrow('403')
    await sweep(database, blobs)
    expect(await keysOf(blobs)).toHaveLength(1)
    await database
      .updateTable('orphaned_blob')
      .set({ marked_at: Date.now() - 3_700_000 })
      .execute()
    await sweep(database, blobs)
    expect(await keysOf(blobs)).toEqual([])
  })

  test('are not marked twice', async () => {
    const { database } = await openSqlite()
    expect(await markOrphan(database, 'caches/1/a')).toBe(true)
    expect(await markOrphan(database, 'caches/1/a')).toBe(false)
  })
})
