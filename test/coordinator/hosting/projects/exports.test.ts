import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'

import { BlobMissingError } from '../../../../src/coordinator/ci/storage/errors.js'
import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { storeSettings } from '../../../../src/coordinator/database/stores/application-setting-store.js'
import { updateProject } from '../../../../src/coordinator/database/stores/project-store.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { badgePart } from '../../../../src/coordinator/hosting/project-badges/transfer.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { deleteOldExports } from '../../../../src/coordinator/hosting/projects/export/delete-old-exports.js'
import { requestExport } from '../../../../src/coordinator/hosting/projects/export/export-store.js'
import { ExportWorker } from '../../../../src/coordinator/hosting/projects/export/export-worker.js'
import {
  downloadExport,
  type ExportDeps,
  exportStatus,
} from '../../../../src/coordinator/hosting/projects/export/exports.js'
import { ProjectRecords } from '../../../../src/coordinator/hosting/projects/record/records.js'
import { deleteProjectRow } from '../../../../src/coordinator/hosting/projects/store.js'
import { deleteUpload, saveUpload } from '../../../../src/coordinator/hosting/projects/uploads/uploads.js'
import { protectedBranchPart } from '../../../../src/coordinator/hosting/protected-refs/transfer.js'
import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { recordsIn, unpackArchive } from '../../support/project-archive.js'
import { addPerson, EXTERNAL_URL, type Person, testSecrets } from '../../support/test-app.js'

interface Setting extends ExportDeps {
  database: Database
  repositories: Repositories
  secrets: ReturnType<typeof testSecrets>
  imports: typeof NO_IMPORTS
  ada: Person
  blobs: FolderBlobStore
  blobFolder: string
  workFolder: string
  /** Runs pending exports until the test ends, as one more coordinator. */
  work: () => AbortController
}

async function openSetting(open: OpenDatabase = openSqlite): Promise<Setting> {
  const { database } = await open()
  const repositories = new Repositories(join(await tempDir(), 'repositories'))
  const wikiRepositories = new Repositories(join(await tempDir(), 'wikis'))
  onTestFinished(() => repositories.close())
  const [blobFolder, workFolder] = [await tempDir(), await tempDir()]
  const blobs = new FolderBlobStore(blobFolder)
  const shared = { database, repositories, blobs, workFolder }
  const work = () => {
    const stop = new AbortController()
    const worker = new ExportWorker({
      ...shared,
      wikiRepositories,
      parts: [protectedBranchPart(database), badgePart(database)],
      logger: createLogger('test', 'silent'),
    })
    const running = worker.run(stop.signal)
    onTestFinished(async () => {
      stop.abort()
      await running
    })
    return stop
  }
  const exports = { wake: () => undefined }
  const more = { secrets: testSecrets(), imports: NO_IMPORTS, externalUrl: EXTERNAL_URL, exports, blobFolder }
  return { ...shared, ...more, work, ada: await addPerson(database, 'ada') }
}

async function status(setting: Setting, id: number) {
  const project = await setting.database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return exportStatus(setting, await new ProjectRecords(setting).simple(project))
}

async function ended(setting: Setting, id: number) {
  return vi.waitFor(
    async () => {
      const row = await setting.database
        .selectFrom('project_export')
        .selectAll()
        .where('project_id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.requested_at).toBeNull()
      return status(setting, id)
    },
    { timeout: 60_000, interval: 20 },
  )
}

/** The bytes of what was served. */
async function downloaded(setting: Setting, project: { id: number }): Promise<Buffer> {
  const row = await setting.database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  return buffer((await downloadExport(setting, row)).body)
}

test('an archive is as large as the settings allow at that time', async () => {
  const setting = await openSetting()
  const project = await createProject(setting, { name: 'app' }, setting.ada)
  const file = { filename: 'noise', open: () => Readable.from([randomBytes(1_500_000)]) }
  const upload = await saveUpload(setting, project, setting.ada, file)
  expect(upload.size).toBe(1_500_000)
  const limit = (megabytes: number) =>
    inTransaction(setting.database, (tx) =>
      storeSettings(tx, [
        { name: 'max_export_size', value: String(megabytes), value_encrypted: null, updated_at: 1 },
      ]),
    )
  await limit(1)
  await requestExport(setting.database, project.id, null)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    export_status: 'none',
    export_error: 'The file is larger than the limit of 1048576 bytes',
  })
  expect(await readdir(setting.workFolder)).toEqual([])
  await limit(2)
  await requestExport(setting.database, project.id, null)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({ export_status: 'finished', export_error: null })
})

function fileOf(filename: string, content: string) {
  return { filename, open: () => Readable.from([Buffer.from(content)]) }
}

describeOnDatabase('exports', (open) => {
  test('an archive has the branches, settings, rules and files of the project, and none of its secrets', async () => {
    const setting = await openSetting(open)
    const { database, ada } = setting
    const project = await createProject(
      setting,
      {
        name: 'It',
        description: 'Mine',
        build_timeout: 1200,
        topics: ['one', 'two'],
        initialize_with_readme: true,
      },
      ada,
    )
    await database
      .insertInto('badge')
      .values({
        project_id: project.id,
        name: 'b',
        link_url: 'https://a.example',
        image_url: 'https://b.example',
        created_at: 1,
      })
      .execute()
    const upload = await saveUpload(setting, project, ada, fileOf('note.txt', 'hello'))
    await database
      .insertInto('ci_variable')
      .values({
        project_id: project.id,
        key: 'PASSWORD',
        value_encrypted: setting.secrets.encrypt('hunter2hunter2'),
        variable_type: 'env_var',
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    expect(await status(setting, project.id)).toMatchObject({ export_status: 'none', export_error: null })
    await requestExport(database, project.id, 'Moving')
    expect(await status(setting, project.id)).toMatchObject({ export_status: 'queued' })
    setting.work()
    const link = `${EXTERNAL_URL}/api/v4/projects/${project.id}/export/download`
    expect(await ended(setting, project.id)).toMatchObject({
      export_status: 'finished',
      _links: { api_url: link, web_url: link },
    })
    const files = await unpackArchive(await downloaded(setting, project))
    expect([...files.keys()]).toEqual([
      'project.json',
      'protected_branches.ndjson',
      'badges.ndjson',
      'uploads.ndjson',
      'lfs_objects.ndjson',
      'repository.bundle',
      `uploads/${upload.secret}`,
    ])
    expect(JSON.parse(files.get('project.json')?.toString() ?? '')).toMatchObject({
      format: 'switchyard-project',
      version: 1,
      default_branch: 'main',
      settings: { description: 'Moving', build_timeout: 1200, topics: ['one', 'two'], visibility: 'private' },
    })
    expect(recordsIn(files.get('protected_branches.ndjson'))).toEqual([
      {
        name: 'main',
        push_access_level: 40,
        merge_access_level: 40,
        allow_force_push: false,
        code_owner_approval_required: false,
      },
    ])
    expect(recordsIn(files.get('uploads.ndjson'))).toEqual([{ secret: upload.secret, filename: 'note.txt' }])
    expect(files.get(`uploads/${upload.secret}`)?.toString()).toBe('hello')
    expect(files.get('repository.bundle')?.toString('latin1')).toContain('refs/heads/main')
    const all = Buffer.concat([...files.values()]).toString('latin1')
    for (const secret of [
      'hunter2',
      'runners_token',
      setting.secrets.decrypt(project.runners_token_encrypted),
    ])
      expect(all).not.toContain(secret)
    expect(await readdir(setting.workFolder)).toEqual([])
  })

  test('an export begun by a killed coordinator is completed once by another', async () => {
    const setting = await openSetting(open)
    const { database, blobFolder } = setting
    const project = await createProject(setting, { name: 'It', initialize_with_readme: true }, setting.ada)
    await requestExport(database, project.id, null)
    await database
      .updateTable('project_export')
      .set({ claimed_until: Date.now() - 1 })
      .execute()
    await mkdir(join(setting.workFolder, 'export-killed'))
    expect(await status(setting, project.id)).toMatchObject({ export_status: 'started' })
    setting.work()
    setting.work()
    expect(await ended(setting, project.id)).toMatchObject({ export_status: 'finished' })
    expect(await readdir(join(blobFolder, `projects/${project.id}/exports`))).toHaveLength(1)
  })

  testAtNight(
    'an archive can be downloaded while a newer one is made, which takes its place; after a day it is gone',
    async () => {
      const setting = await openSetting(open)
      const { database, blobs, blobFolder } = setting
      const project = await createProject(setting, { name: 'It', initialize_with_readme: true }, setting.ada)
      await requestExport(database, project.id, 'First')
      const first = setting.work()
      await ended(setting, project.id)
      first.abort()
      await requestExport(database, project.id, 'Second')
      await requestExport(database, project.id, 'Third, while the second is wanted')
      expect(await status(setting, project.id)).toMatchObject({ export_status: 'regeneration_in_progress' })
      const described = async () => {
        const files = await unpackArchive(await downloaded(setting, project))
        return JSON.parse(files.get('project.json')?.toString() ?? '') as unknown
      }
      expect(await described()).toMatchObject({ settings: { description: 'First' } })
      setting.work()
      await ended(setting, project.id)
      expect(await described()).toMatchObject({ settings: { description: 'Second' } })
      const folder = join(blobFolder, `projects/${project.id}/exports`)
      await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1))
      await deleteOldExports(database, blobs, Date.now() - 60_000)
      expect(await readdir(folder)).toHaveLength(1)
      await deleteOldExports(database, blobs, Date.now() + 1)
      expect(await readdir(folder)).toEqual([])
      expect(await status(setting, project.id)).toMatchObject({ export_status: 'none' })
      await expect(downloaded(setting, project)).rejects.toMatchObject({ status: 404 })
      expect(await database.selectFrom('project_export').selectAll().execute()).toEqual([])
    },
  )
})

test('a project without a commit has an archive without a repository', async () => {
  const setting = await openSetting()
  const project = await createProject(setting, { name: 'It' }, setting.ada)
  await requestExport(setting.database, project.id, null)
  setting.work()
  await ended(setting, project.id)
  const files = await unpackArchive(await downloaded(setting, project))
  expect([...files.keys()]).not.toContain('repository.bundle')
})

test('a repository that cannot be packed is reported as the error, and no files remain', async () => {
  const setting = await openSetting()
  const project = await createProject(setting, { name: 'It', initialize_with_readme: true }, setting.ada)
  await setting.repositories.delete(project.id)
  await requestExport(setting.database, project.id, null)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    export_status: 'none',
    export_error: expect.stringMatching(/^The repository could not be packed/) as string,
  })
  expect(await readdir(setting.workFolder)).toEqual([])
})

test('a file that is deleted while the archive is made is left out', async () => {
  const setting = await openSetting()
  const { ada, blobs } = setting
  const project = await createProject(setting, { name: 'It' }, ada)
  const gone = await saveUpload(setting, project, ada, fileOf('gone.txt', 'gone'))
  const kept = await saveUpload(setting, project, ada, fileOf('kept.txt', 'kept'))
  const avatar = { avatar_name: 'a.png', avatar_key: 'projects/1/avatar/gone.png' }
  await updateProject(setting.database, project.id, avatar)
  const read = vi.spyOn(blobs, 'read').mockImplementationOnce(async (key) => {
    await updateProject(setting.database, project.id, { avatar_name: null, avatar_key: null })
    throw new BlobMissingError(key)
  })
  const readWhole = vi.spyOn(blobs, 'readWhole').mockImplementationOnce(async (key) => {
    await deleteUpload(setting, project.id, gone.id)
    throw new BlobMissingError(key)
  })
  onTestFinished(() => [read, readWhole].forEach((spy) => spy.mockRestore()))
  await requestExport(setting.database, project.id, null)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({ export_status: 'finished' })
  const names = [...(await unpackArchive(await downloaded(setting, project))).keys()]
  expect(names.filter((name) => /^(uploads\/|avatar)/.test(name))).toEqual([`uploads/${kept.secret}`])
})

test('a file that is lost is the error of the export', async () => {
  const setting = await openSetting()
  const project = await createProject(setting, { name: 'It' }, setting.ada)
  const lost = await saveUpload(setting, project, setting.ada, fileOf('lost.txt', 'lost'))
  await setting.blobs.delete(`projects/${project.id}/uploads/${lost.secret}`)
  await requestExport(setting.database, project.id, null)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    export_status: 'none',
    export_error: expect.stringMatching(
      /^The upload lost.txt could not be packed. The stored file is gone/,
    ) as string,
  })
})

testAtNight('the export of a project that is deleted concurrently leaves no files', async () => {
  const setting = await openSetting()
  const project = await createProject(setting, { name: 'It', initialize_with_readme: true }, setting.ada)
  await requestExport(setting.database, project.id, null)
  const write = setting.blobs.write.bind(setting.blobs)
  const written = vi.spyOn(setting.blobs, 'write').mockImplementation(async (key, body) => {
    await deleteProjectRow(setting.database, project.id)
    return write(key, body)
  })
  setting.work()
  await vi.waitFor(() => expect(written).toHaveBeenCalled())
  // The worker removes its folder last, and the folder was there before it wrote.
  await vi.waitFor(async () => expect(await readdir(setting.workFolder)).toEqual([]))
  expect(await readdir(join(setting.blobFolder, `projects/${project.id}/exports`))).toEqual([])
})
