import { access, appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { backUp, type BackupOptions, type BackupStep } from '../../../src/coordinator/backup/back-up.js'
import type { BackupLocation } from '../../../src/coordinator/backup/backup-location.js'
import { backupNames, BackupStore, readBackup } from '../../../src/coordinator/backup/backup-store.js'
import { BackupError } from '../../../src/coordinator/backup/errors.js'
import { FolderLocation } from '../../../src/coordinator/backup/folder-location.js'
import { namedFiles, repositoryPath } from '../../../src/coordinator/backup/named-files.js'
import { openForBackup, openForReading, whileOpen } from '../../../src/coordinator/backup/open-location.js'
import { restoreBackup } from '../../../src/coordinator/backup/restore.js'
import { RESTORING } from '../../../src/coordinator/backup/restoring.js'
import { verifyBackup } from '../../../src/coordinator/backup/verify-backup.js'
import type { StorageSettings } from '../../../src/coordinator/ci/storage/open-blob-store.js'
import { KEY_COLUMNS } from '../../../src/coordinator/ci/storage/orphans/key-columns.js'
import { StoredLogs } from '../../../src/coordinator/ci/storage/stored-logs.js'
import { Traces } from '../../../src/coordinator/ci/storage/traces.js'
import {
  connectDatabase,
  type Database,
  type DatabaseSettings,
} from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { isEmptyPostgres } from '../../../src/coordinator/database/postgres-copy.js'
import { bucketSettingNames } from '../../../src/coordinator/start/config/storage.js'
import { openDataFolder } from '../../../src/coordinator/start/data-folder.js'
import { createLogger } from '../../../src/lib/logger.js'
import { openS3 } from '../../support/blob-stores.js'
import {
  createEmptyPostgres,
  describeOnEachDatabase,
  openPostgres,
  openSqlite,
  type TestDatabase,
} from '../../support/databases.js'
import { gitOk } from '../../support/git-client.js'
import { onFinished } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { S3Server } from '../../support/s3-server.js'
import { tempDir } from '../../support/temp-dir.js'
import { insertRunningJob } from '../support/running-job.js'
import { addPerson } from '../support/test-app.js'

const IN_FOLDER: StorageSettings = { location: { kind: 'folder' }, previous: undefined, isDirect: false }
const BEFORE = 'b'.repeat(40)

/** A data folder with a project, its repository, a running job with a log, and caches as blobs. */
async function instance(open = openSqlite) {
  const { database, settings } = await open()
  const dataDir = await tempDir()
  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(dataDir, path)), { recursive: true })
    await writeFile(join(dataDir, path), content)
  }
  const folder = await tempDir()
  await put('secret.key', 'the key')
  await put('coordinator.toml', '')
  const user = await addPerson(database, 'ada')
  const { namespace_id } = await database
    .selectFrom('namespace')
    .select('id as namespace_id')
    .where('full_path', '=', 'ada')
    .executeTakeFirstOrThrow()
  const times = { created_at: 1, updated_at: 1, last_activity_at: 1 }
  const { id: projectId } = await database
    .insertInto('project')
    .values({
      ...times,
      namespace_id,
      creator_id: user.id,
      name: 'app',
      path: 'app',
      full_path: 'ada/app',
      visibility: 'private',
      default_branch: 'main',
      runners_token_digest: 'digest',
      runners_token_encrypted: 'sealed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertRunningJob(database, { projectId, userId: user.id })
  const job = await database.selectFrom('job').select('id').executeTakeFirstOrThrow()
  const log = `traces/${projectId}/${job.id}.log`
  await put(log, 'line 1\n')
  const repository = repositoryPath('repositories', projectId)
  const gitDir = join(dataDir, repository)
  await mkdir(gitDir, { recursive: true })
  await gitOk(gitDir, 'init', '--quiet', '--bare', '--initial-branch=main')
  return {
    database,
    dataDir,
    database_: settings,
    place: { dataDir, database: settings, storage: IN_FOLDER },
    folder,
    backups: new FolderLocation(folder) as BackupLocation,
    log,
    repository,
    put,
    job: { id: job.id, project_id: projectId },
    /** Writes a cache as a coordinator does: first its blob, then its row. */
    async addCache(name: string): Promise<void> {
      await put(`blobs/caches/${projectId}/${name}`, `content of ${name}`)
      await database
        .insertInto('cache_archive')
        .values({
          project_id: projectId,
          protected: false,
          key: name,
          key_digest: name,
          content: null,
          size: 1,
          sha256: '',
          blob_key: `caches/${projectId}/${name}`,
          created_at: 1,
          used_at: 1,
        })
        .execute()
    },
    /** Deletes a cache as a coordinator does: first its row, then its blob. */
    async deleteCache(name: string): Promise<void> {
      await database.deleteFrom('cache_archive').where('key', '=', name).execute()
      await rm(join(dataDir, `blobs/caches/${projectId}/${name}`))
    },
    cache: (name: string) => `blobs/caches/${projectId}/${name}`,
    async push(message: string): Promise<string> {
      const tree = await gitOk(gitDir, 'write-tree')
      const commit = await gitOk(gitDir, 'commit-tree', '-m', message, tree)
      await gitOk(gitDir, 'update-ref', '--create-reflog', 'refs/heads/main', commit)
      return commit
    },
  }
}

type Instance = Awaited<ReturnType<typeof instance>>

/** Acts once, before a step. */
function at(step: BackupStep, act: () => Promise<unknown>): BackupOptions {
  let isDone = false
  return {
    onStep: async (now) => {
      if (now !== step || isDone) return
      isDone = true
      await act()
    },
  }
}

async function paths({ backups }: Instance): Promise<string[]> {
  const { manifest } = await readBackup(backups)
  return manifest.files.map(({ path }) => path)
}

async function restored({ backups }: Pick<Instance, 'backups'>): Promise<string> {
  const dataDir = join(await tempDir(), 'data')
  const database = { dialect: 'sqlite', file: join(dataDir, 'switchyard.db') } as const
  await restoreBackup({ dataDir, database }, backups)
  return dataDir
}

async function keysOfCaches(settings: Parameters<typeof connectDatabase>[0]): Promise<string[]> {
  const database = connectDatabase(settings)
  const rows = await database.selectFrom('cache_archive').select('key').orderBy('key').execute()
  await database.destroy()
  return rows.map(({ key }) => key)
}

describeOnEachDatabase('a backup', (open) => {
  test('is restored with its rows, blobs, logs, keys and refs, and is sound', async () => {
    const it = await instance(open)
    await it.addCache('gems')
    const commit = await it.push('one')
    await backUp(it.place, it.backups)
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [], missing: [], repositories: 1 })

    const dataDir = join(await tempDir(), 'data')
    const database =
      it.database_.dialect === 'sqlite'
        ? ({ dialect: 'sqlite', file: join(dataDir, 'switchyard.db') } as const)
        : ({ dialect: 'postgres', url: await createEmptyPostgres() } as const)
    await restoreBackup({ dataDir, database }, it.backups)
    expect(await keysOfCaches(database)).toEqual(['gems'])
    expect(await readFile(join(dataDir, it.cache('gems')), 'utf8')).toBe('content of gems')
    expect(await readFile(join(dataDir, it.log), 'utf8')).toBe('line 1\n')
    expect(await readFile(join(dataDir, 'secret.key'), 'utf8')).toBe('the key')
    expect(await gitOk(join(dataDir, it.repository), 'rev-parse', 'main')).toBe(commit)
    expect(await readdir(dataDir)).not.toContain(RESTORING)
    // What is restored may be backed up and restored again; a database or folder with something in it is left alone.
    await expect(restoreBackup({ dataDir, database }, it.backups)).rejects.toThrow(
      /is not empty|has tables already/,
    )
  })

  testAtNight(
    'has no push, job or file that came after its moment, and the log that the job had then',
    async () => {
      const it = await instance(open)
      const before = await it.push('before')
      await backUp(
        it.place,
        it.backups,
        at('second pass', async () => {
          await it.push('after')
          await it.addCache('late')
          await appendFile(join(it.dataDir, it.log), 'line 2\n')
        }),
      )
      const { manifest } = await readBackup(it.backups)
      expect(manifest.files.map(({ path }) => path)).not.toContain(it.cache('late'))
      expect(manifest.files.find(({ path }) => path === it.log)?.size).toBe('line 1\n'.length)
      const refs = manifest.files.find(({ path }) => path === `${it.repository}/packed-refs`)
      const content = await it.backups.read(refs?.sha256 ?? '')
      expect(await text(content!)).toContain(`${before} refs/heads/main`)
    },
  )
})

describe('a backup while the instance works', () => {
  test('has what came during the first pass, with its refs and objects', async () => {
    const it = await instance()
    await it.push('one')
    let pushed = ''
    await backUp(
      it.place,
      it.backups,
      at('moment', async () => {
        await it.addCache('new')
        pushed = await it.push('two')
      }),
    )
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [] })
    const dataDir = await restored(it)
    expect(await readFile(join(dataDir, it.cache('new')), 'utf8')).toBe('content of new')
    expect(await gitOk(join(dataDir, it.repository), 'rev-parse', 'main')).toBe(pushed)
  })

  testAtNight('has a file that was deleted after the moment, which the first pass has copied', async () => {
    const it = await instance()
    await it.addCache('old')
    await backUp(
      it.place,
      it.backups,
      at('second pass', () => it.deleteCache('old')),
    )
    expect(await paths(it)).toContain(it.cache('old'))
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [] })
  })

  testAtNight(
    'takes another moment if a file that its rows name was deleted before it could be copied',
    async () => {
      const it = await instance()
      const steps: BackupStep[] = []
      const made = at('moment', () => it.addCache('brief'))
      const deleted = at('second pass', () => it.deleteCache('brief'))
      const onStep = async (step: BackupStep) => {
        steps.push(step)
        await made.onStep?.(step)
        await deleted.onStep?.(step)
      }
      await backUp(it.place, it.backups, { onStep })
      expect(steps.filter((step) => step === 'moment')).toHaveLength(2)
      expect(await verifyBackup(it.backups)).toMatchObject({ problems: [], missing: [] })
      expect(
        await keysOfCaches({ dialect: 'sqlite', file: join(await restored(it), 'switchyard.db') }),
      ).toEqual([])
    },
  )

  testAtNight('completes a push that the moment met: its row and its reflog are there', async () => {
    const it = await instance()
    const commit = await it.push('one')
    const changes = [{ ref: 'refs/heads/main', before: BEFORE, after: commit }]
    await it.database
      .insertInto('push')
      .values({
        project_id: it.job.project_id,
        user_id: 1,
        changes: JSON.stringify(changes),
        options: '[]',
        created_at: 1,
      })
      .execute()
    await backUp(it.place, it.backups)
    const log = await readFile(join(await restored(it), it.repository, 'logs/refs/heads/main'), 'utf8')
    expect(log).toContain(` ${commit} `)
  })

  test('leaves out the bytes of a log that may be the start of a secret', async () => {
    const it = await instance()
    await it.put(it.log.replace('.log', '.held'), '4')
    await backUp(it.place, it.backups)
    expect(await readFile(join(await restored(it), it.log), 'utf8')).toBe('line')
  })

  testAtNight('is whole although repositories are repacked', async () => {
    const it = await instance()
    await it.push('one')
    const repack = () => gitOk(join(it.dataDir, it.repository), 'repack', '-a', '-d', '--quiet')
    await backUp(it.place, it.backups, at('second pass', repack))
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [] })
  })
})

describe('a backup of an instance whose files are in a bucket', () => {
  async function inBucket() {
    const it = await instance()
    const { server, blobs } = await openS3({ prefix: '' })
    const place = { kind: 's3', bucket: server.settings(), prefix: '' } as const
    await it.addCache('from-before')
    await blobs.write(it.cache('a').slice('blobs/'.length), Readable.from([Buffer.from('content of a')]))
    await it.addCache('a')
    await rm(join(it.dataDir, it.cache('a')))
    const previous = { kind: 'folder' } as const
    return {
      it,
      server,
      blobs,
      place: { ...it.place, storage: { location: place, previous, isDirect: false } },
    }
  }

  testAtNight('has the objects, those that are not moved yet, and stored logs', async () => {
    const { it, blobs, place } = await inBucket()
    const stored = new StoredLogs(it.database, blobs, await tempDir())
    const traces = new Traces(join(it.dataDir, 'traces'), 1e9, {}, stored)
    await it.database.updateTable('job').set({ status: 'success', trace_bytes: 7 }).execute()
    expect(await traces.moveToStore(it.job)).toBe(true)
    const report = await backUp(place, it.backups)
    expect(report.missing).toEqual([])
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [], missing: [] })
    const dataDir = await restored(it)
    expect(await readFile(join(dataDir, it.cache('a')), 'utf8')).toBe('content of a')
    expect(await readFile(join(dataDir, it.cache('from-before')), 'utf8')).toBe('content of from-before')
    const { blob_key } = await it.database.selectFrom('stored_log').selectAll().executeTakeFirstOrThrow()
    expect(await readFile(join(dataDir, `blobs/${blob_key}`), 'utf8')).toBe('line 1\n')
  })

  testAtNight('reads only objects that are new', async () => {
    const { it, server, place } = await inBucket()
    await backUp(place, it.backups)
    server.calls.length = 0
    expect((await backUp(place, it.backups)).copied.files).toBe(0)
    const read = server.calls.filter(
      ({ method, url }) => method === 'GET' && !url.includes('?') && !url.includes('storage-check'),
    )
    expect(read).toEqual([])
  })

  test('says which objects the bucket has lost', async () => {
    const { it, server, place } = await inBucket()
    server.objects.clear()
    expect(await backUp(place, it.backups)).toMatchObject({ missing: [it.cache('a')] })
  })
})

describe('a folder of backups', () => {
  test('gets only what is new, and keeps as many backups as asked', async () => {
    const it = await instance()
    await it.addCache('a')
    await backUp(it.place, it.backups)
    await it.addCache('b')
    const second = await backUp(it.place, it.backups, { keep: 1 })
    // The blob and the database.
    expect(second.copied.files).toBe(2)
    expect(second.removed).toHaveLength(1)
    expect(await backupNames(it.backups)).toEqual([second.name])
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [] })
  })

  test('loses what a killed backup left when the next one ends', async () => {
    const it = await instance()
    const killed = at('finish', () => Promise.reject(new Error('killed')))
    await it.addCache('gone')
    await expect(backUp(it.place, it.backups, killed)).rejects.toThrow('killed')
    expect(await backupNames(it.backups)).toEqual([])
    await expect(readBackup(it.backups)).rejects.toThrow('has no finished backup')
    await it.deleteCache('gone')
    await backUp(it.place, it.backups)
    const { manifest } = await readBackup(it.backups)
    const used = new Set([manifest.database, ...manifest.files].map(({ sha256 }) => sha256))
    const kept = await readdir(join(it.folder, 'objects'), { recursive: true, withFileTypes: true })
    expect(new Set(kept.filter((entry) => entry.isFile()).map(({ name }) => name))).toEqual(used)
  })

  testAtNight('copies a file again that was damaged and deleted', async () => {
    const it = await instance()
    await it.addCache('a')
    await backUp(it.place, it.backups)
    const object = await objectOf(it, it.cache('a'))
    await writeFile(object, 'rotten')
    const { problems } = await verifyBackup(it.backups)
    expect(problems).toEqual([
      expect.stringMatching(`content of ${it.cache('a')} is damaged.*Delete ${object}`),
    ])
    await expect(restored(it)).rejects.toThrow('is damaged')
    await rm(object)
    await backUp(it.place, it.backups)
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [] })
  })

  test.each([
    [
      'a lost object of git',
      async (it: Instance) => rm(await objectOf(it, await anyGitObject(it))),
      /is damaged/,
    ],
    [
      'a changed list of files',
      (it: Instance) => changeList(it),
      /is damaged, so this backup cannot be used/,
    ],
  ])('tells %s', async (_name, damage, message) => {
    const it = await instance()
    await it.push('one')
    await backUp(it.place, it.backups)
    await damage(it)
    const told = await verifyBackup(it.backups).then(
      ({ problems }) => problems.join('\n'),
      (error: unknown) => String(error),
    )
    expect(told).toMatch(message)
  })

  test('is used by one process at a time', async () => {
    const it = await instance()
    const other = await BackupStore.create(it.backups)
    await expect(backUp(it.place, it.backups)).rejects.toThrow('Another process uses')
    other.close()
    await backUp(it.place, it.backups)
  })

  testAtNight('says which files the instance itself has lost', async () => {
    const it = await instance()
    await it.addCache('lost')
    await rm(join(it.dataDir, it.cache('lost')))
    expect(await backUp(it.place, it.backups)).toMatchObject({ missing: [it.cache('lost')] })
    expect(await verifyBackup(it.backups)).toMatchObject({ problems: [], missing: [it.cache('lost')] })
  })

  test('is not a folder with other files, and not in the data folder', async () => {
    const it = await instance()
    await writeFile(join(it.folder, 'photo'), '')
    await expect(backUp(it.place, it.backups)).rejects.toThrow(BackupError)
    const inside = { kind: 'backup-folder', path: join(it.dataDir, 'backups') } as const
    await expect(openForBackup(inside, it.place)).rejects.toThrow('inside the data folder')
    const other = new FolderLocation(await tempDir())
    await expect(verifyBackup(other)).rejects.toThrow('not a place with backups')
  })
})

describe('backups in a bucket', () => {
  async function intoBucket() {
    const it = await instance()
    const server = await S3Server.start()
    const target = { kind: 's3', bucket: server.settings(), prefix: 'backups' } as const
    const backUpTo = (options?: BackupOptions) =>
      whileOpen(openForBackup(target, it.place), (backups) => backUp(it.place, backups, options))
    const reading = <T>(use: (backups: BackupLocation) => Promise<T>) =>
      whileOpen(openForReading(target), use)
    const verify = () => reading((backups) => verifyBackup(backups))
    const restore = () => reading((backups) => restored({ backups }))
    return { it, server, target, backUpTo, reading, verify, restore }
  }

  testAtNight(
    'are restored, verified and incremental, and leave nothing on the machine that reads them',
    async () => {
      const { it, server, backUpTo, reading, verify, restore } = await intoBucket()
      await it.addCache('gems')
      const commit = await it.push('one')
      await backUpTo()
      expect(await verify()).toMatchObject({ problems: [], missing: [], repositories: 1 })
      const dataDir = await restore()
      expect(await readFile(join(dataDir, it.cache('gems')), 'utf8')).toBe('content of gems')
      expect(await gitOk(join(dataDir, it.repository), 'rev-parse', 'main')).toBe(commit)

      await it.addCache('more')
      server.calls.length = 0
      const second = await backUpTo({ keep: 1 })
      expect(second).toMatchObject({ copied: { files: 2 }, removed: [expect.any(String)] })
      const objects = server.calls.filter(({ method, url }) => method === 'PUT' && url.includes('/objects/'))
      expect(objects).toHaveLength(2)
      expect(await verify()).toMatchObject({ problems: [] })
      expect([...server.objects.keys()].filter((name) => name.includes('lock'))).toEqual([])
      const { localFolder } = await reading((backups) => Promise.resolve(backups))
      await expect(access(localFolder)).rejects.toThrow('ENOENT')
    },
  )

  testAtNight('lose what a killed backup left, and the next one uploads only what is missing', async () => {
    const { it, server, backUpTo, reading, verify } = await intoBucket()
    await it.addCache('gone')
    await it.addCache('kept')
    await expect(backUpTo(at('finish', () => Promise.reject(new Error('killed'))))).rejects.toThrow('killed')
    await expect(reading((backups) => readBackup(backups))).rejects.toThrow('has no finished backup')
    const uploaded = server.objects.size
    await it.deleteCache('gone')
    await rm(join(it.dataDir, 'backup'), { recursive: true })
    expect((await backUpTo()).copied.files).toBe(1) // the database
    expect(server.objects.size).toBeLessThanOrEqual(uploaded)
    expect(await verify()).toMatchObject({ problems: [] })
  })

  testAtNight(
    'are used by one machine at a time; the lock of a killed process ends after half an hour',
    async () => {
      const { it, server, target, backUpTo } = await intoBucket()
      const elsewhere = { ...it.place, dataDir: await tempDir() }
      await expect(
        backUpTo({
          onStep: async (step) => {
            if (step !== 'second pass') return
            await whileOpen(openForBackup(target, elsewhere), (others) => BackupStore.create(others))
          },
        }),
      ).rejects.toThrow(/Another process uses s3:\/\/caches\/backups .*process \d+/)
      // Killed on another machine.
      server.store('backups/lock', 'other-index other-process host 1')
      await expect(backUpTo()).rejects.toThrow('(host host, process 1)')
      server.objects.get('backups/lock')!.modifiedAt = new Date(Date.now() - 31 * 60_000)
      await backUpTo()
      // Killed on this machine.
      const backups = await openForBackup(target, it.place)
      const killed = await BackupStore.create(backups)
      killed.close()
      await backUpTo()
      await backups.close()
    },
  )

  test('are not finished by a process whose lock was taken over', async () => {
    const { server, backUpTo, reading } = await intoBucket()
    const taken = at('finish', async () => server.store('backups/lock', 'other other host 1'))
    await expect(backUpTo(taken)).rejects.toThrow('Another process uses')
    await expect(reading((backups) => readBackup(backups))).rejects.toThrow('has no finished backup')
  })

  testAtNight(
    'are verified with one request for each object, also of repositories that share it',
    async () => {
      const { it, server, backUpTo, verify } = await intoBucket()
      await it.push('one')
      const copy = join(it.dataDir, repositoryPath('repositories', 99))
      await cp(join(it.dataDir, it.repository), copy, { recursive: true })
      await backUpTo()
      server.calls.length = 0
      expect(await verify()).toMatchObject({ problems: [], repositories: 2 })
      const read = server.callsOf('GET').filter(({ url }) => url.includes('/objects/'))
      const stored = [...server.objects.keys()].filter((name) => name.includes('/objects/'))
      expect(read).toHaveLength(stored.length)
    },
  )

  testAtNight('tell what is damaged or lost', async () => {
    const { it, server, backUpTo, reading, verify, restore } = await intoBucket()
    await it.addCache('a')
    await it.push('one')
    await backUpTo()
    const { manifest } = await reading((backups) => readBackup(backups))
    const nameOf = (part: string) => {
      const { sha256 = '' } = manifest.files.find(({ path }) => path.includes(part)) ?? {}
      return `backups/objects/${sha256.slice(0, 2)}/${sha256}`
    }
    server.store(nameOf('/a'), 'rotten')
    server.objects.delete(nameOf('.git/objects/'))
    const problems = (await verify()).problems.join('\n')
    expect(problems).toContain(`content of ${it.cache('a')} is damaged. Delete s3://caches/${nameOf('/a')}`)
    expect(problems).toMatch(/is missing \(s3:.*Back up again/)
    expect(problems).toMatch(/The repository .* is damaged/)
    await expect(restore()).rejects.toThrow(/damaged|lacks the content/)
  })

  test('are not where the installation has its own files, nor beside other objects', async () => {
    const { it, server, target, backUpTo } = await intoBucket()
    const storage = { location: { ...target, prefix: '' }, previous: undefined, isDirect: false } as const
    await expect(openForBackup(target, { ...it.place, storage })).rejects.toThrow('stores its files')
    server.store('backups/photo', '')
    await expect(backUpTo()).rejects.toThrow('has other objects')
  })

  test('without the bucket or a key, the error says what to set', async () => {
    const { it, server, target } = await intoBucket()
    const names = bucketSettingNames('backup')
    const wrong = { ...target, bucket: server.settings({ bucketName: 'other', names }) }
    await expect(openForBackup(wrong, it.place)).rejects.toThrow(/bucket other at .* backup\.url/)
    const key = { accessKeyId: 'x', secretAccessKey: 'y' }
    const unknown = { ...target, bucket: server.settings({ credentials: key, names }) }
    await expect(openForReading(unknown)).rejects.toThrow('Check backup.access_key_id')
  })
})

test('a restore that was interrupted starts no coordinator, and begins again', async () => {
  const it = await instance()
  await backUp(it.place, it.backups)
  const dataDir = await tempDir()
  await writeFile(join(dataDir, RESTORING), '')
  await writeFile(join(dataDir, 'half'), '')
  await expect(openDataFolder(dataDir, createLogger('test', 'silent'))).rejects.toThrow(
    'not restored completely',
  )
  await restoreBackup(
    { dataDir, database: { dialect: 'sqlite', file: join(dataDir, 'switchyard.db') } },
    it.backups,
  )
  expect(await readdir(dataDir)).not.toContain('half')
  await openDataFolder(dataDir, createLogger('test', 'silent'))
})

test('a backup of one kind of database is not restored into the other', async () => {
  const it = await instance()
  await backUp(it.place, it.backups)
  const place = {
    dataDir: await tempDir(),
    database: { dialect: 'postgres', url: 'postgres://nobody@127.0.0.1:1/x' },
  }
  await expect(restoreBackup(place as Parameters<typeof restoreBackup>[0], it.backups)).rejects.toThrow(
    'is of SQLite',
  )
})

/** Other databases of tests have copies of the rows of migrations, which are in backups too. */
async function openOwnPostgres(): Promise<TestDatabase> {
  const settings = { dialect: 'postgres', url: await createEmptyPostgres() } as const
  const database = connectDatabase(settings)
  onFinished(() => database.destroy())
  await migrate(database, settings)
  return { database, settings, dialect: 'postgres' }
}

describe.each([
  ['SQLite', openSqlite],
  ['PostgreSQL', openOwnPostgres],
])('a database of an unreleased commit (%s)', (_, open) => {
  test('is not backed up; its backup is not sound, and is restored nowhere', async () => {
    const it = await instance(open)
    const makeUnreleased = async () => {
      await sql`delete from kysely_migration where name <> '0001-baseline'`.execute(it.database)
      await sql`update kysely_migration set name = '0200-feature-flags'`.execute(it.database)
    }
    await backUp(it.place, it.backups, at('moment', makeUnreleased))
    const sentence =
      'was made by an unreleased commit of Switchyard (its last migration is 0200-feature-flags)'
    await expect(backUp(it.place, it.backups)).rejects.toThrow(sentence)
    const { name, problems } = await verifyBackup(it.backups)
    expect(problems).toEqual([expect.stringContaining(`The database of the backup ${name} ${sentence}`)])
    const dataDir = await tempDir()
    const database: DatabaseSettings =
      it.database_.dialect === 'sqlite'
        ? { dialect: 'sqlite', file: join(dataDir, 'switchyard.db') }
        : { dialect: 'postgres', url: await createEmptyPostgres() }
    await expect(restoreBackup({ dataDir, database }, it.backups)).rejects.toThrow(sentence)
    expect(await readdir(dataDir)).toEqual([])
    if (database.dialect === 'postgres') expect(await isEmptyPostgres(database.url)).toBe(true)
  })
})

test('every column with the key of a blob is known', async () => {
  const { database } = await openSqlite()
  const { rows } = await sql<{ place: string }>`
    select m.name || '.' || c.name as place from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and c.name in ('blob_key', 'times_key', 'avatar_key', 'archive_key', 'file_key')
    and m.name <> 'orphaned_blob'`.execute(database)
  const known = KEY_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ place }) => place).toSorted()).toEqual(known.toSorted())
})

test('logs, uploads and LFS objects are named by their rows', async () => {
  const it = await instance()
  const { project_id } = it.job
  const common = { project_id, size: 3, created_at: 1 }
  await it.database
    .insertInto('lfs_object')
    .values({ ...common, oid: 'f00' })
    .execute()
  await it.database
    .insertInto('project_upload')
    .values({ ...common, uploader_id: null, secret: 'abc', filename: 'a.png', content_type: 'image/png' })
    .execute()
  await it.database.updateTable('job').set({ status: 'success', trace_bytes: 7 }).execute()
  const named = await allOf(it.database)
  expect(named).toEqual([
    { path: `blobs/projects/${project_id}/uploads/abc` },
    { path: `blobs/projects/${project_id}/lfs/f00`, size: 3 },
    { path: it.log, size: 7 },
    { path: `${it.repository}/HEAD` },
  ])
})

async function allOf(database: Database) {
  const all = []
  for await (const file of namedFiles(database)) all.push(file)
  return all
}

async function objectOf(it: Instance, path: string): Promise<string> {
  const { manifest } = await readBackup(it.backups)
  const { sha256 } = manifest.files.find((file) => file.path === path) ?? { sha256: '' }
  return join(it.folder, 'objects', sha256.slice(0, 2), sha256)
}

async function anyGitObject(it: Instance): Promise<string> {
  return (await paths(it)).find((path) => path.includes('.git/objects/')) ?? ''
}

async function changeList({ folder, backups }: Instance): Promise<void> {
  const { name } = await readBackup(backups)
  const file = join(folder, 'backups', name)
  await writeFile(file, (await readFile(file, 'utf8')).replace('secret.key', 'secret.kex'))
}

test('without pg_dump, the message says what to install', async () => {
  const it = await instance(openPostgres)
  const path = process.env['PATH']
  process.env['PATH'] = await tempDir()
  try {
    await expect(backUp(it.place, it.backups)).rejects.toThrow('apt-get install postgresql-client')
  } finally {
    process.env['PATH'] = path
  }
})
