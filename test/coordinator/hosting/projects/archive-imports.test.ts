import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'

import type { Project } from '../../../../src/coordinator/access/caller.js'
import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { memberPart } from '../../../../src/coordinator/accounts/members/transfer.js'
import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import type { Transaction } from '../../../../src/coordinator/database/transaction.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { Avatars } from '../../../../src/coordinator/hosting/avatars/avatars.js'
import { badgePart } from '../../../../src/coordinator/hosting/project-badges/transfer.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import {
  markForDeletion,
  restoreProject,
} from '../../../../src/coordinator/hosting/projects/deletion/mark-for-deletion.js'
import { buildArchive } from '../../../../src/coordinator/hosting/projects/export/build-archive.js'
import { ImportWorker } from '../../../../src/coordinator/hosting/projects/import/import-worker.js'
import { startImport } from '../../../../src/coordinator/hosting/projects/import/start-import.js'
import {
  deleteProjectRow,
  findProject,
  hideProject,
} from '../../../../src/coordinator/hosting/projects/store.js'
import { saveUpload } from '../../../../src/coordinator/hosting/projects/uploads/uploads.js'
import { protectedBranchPart } from '../../../../src/coordinator/hosting/protected-refs/transfer.js'
import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { topicNames } from '../../../../src/coordinator/hosting/topic-store.js'
import { importWiki } from '../../../../src/coordinator/hosting/wikis/import-wiki.js'
import type { TransferPart } from '../../../../src/coordinator/http/archive-part.js'
import { UploadedFile } from '../../../../src/coordinator/http/parameters/types.js'
import { refreshMergeRequestsFrom } from '../../../../src/coordinator/planning/merge-requests/refresh/refresh-from-project.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { sampled, testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { packArchive, type PackedEntry, projectFile } from '../../support/project-archive.js'
import { addPerson, type Person, testSecrets } from '../../support/test-app.js'

async function openSetting(open: OpenDatabase = openSqlite) {
  const { database } = await open()
  const repositories = new Repositories(join(await tempDir(), 'repositories'))
  const egress = new EgressClient({ allowLocalNetwork: false })
  onTestFinished(async () => {
    await repositories.close()
    await egress.close()
  })
  const [blobFolder, workFolder] = [await tempDir(), await tempDir()]
  const blobs = new FolderBlobStore(blobFolder)
  const findUser = (id: string) =>
    database.selectFrom('user').selectAll().where('id', '=', Number(id)).executeTakeFirst()
  const parts = [memberPart({ database, findUser }), protectedBranchPart(database), badgePart(database)]
  const wikiRepositories = new Repositories(join(await tempDir(), 'wikis'))
  onTestFinished(() => wikiRepositories.close())
  const deps = {
    database,
    repositories,
    wikiRepositories,
    addWiki: (id: number, fill: () => Promise<boolean>) =>
      importWiki({ database, wikiRepositories }, id, fill),
    blobs,
    workFolder,
    parts,
    secrets: testSecrets(),
    imports: NO_IMPORTS,
    avatars: new Avatars({ database, blobs }),
    deleteProjectIf: async (
      id: number,
      mayBeDeleted: (project: Project, tx: Transaction) => Promise<boolean>,
    ) =>
      (await hideProject({ database, onHidden: refreshMergeRequestsFrom }, id, mayBeDeleted)) &&
      deleteProjectRow(database, id),
  }
  /** Runs pending imports until the test ends, as one more coordinator. */
  const work = (own: TransferPart[] = parts) => {
    const stop = new AbortController()
    const worker = new ImportWorker({
      ...deps,
      parts: own,
      logger: createLogger('test', 'silent'),
      addressOf: (url) => egress.addressOf(url),
      onFilled: () => undefined,
    })
    const running = worker.run(stop.signal)
    const end = async () => {
      stop.abort()
      await running
    }
    onTestFinished(end)
    return { stop, end }
  }
  return { ...deps, deps, work, blobFolder, ada: await addPerson(database, 'ada') }
}
type Setting = Awaited<ReturnType<typeof openSetting>>

/** A file as it comes with a request. */
function uploaded(bytes: Buffer): UploadedFile {
  const spooled = { size: bytes.length, open: () => Readable.from([bytes]), remove: async () => undefined }
  return new UploadedFile('file.tar.gz', 'application/octet-stream', spooled)
}

async function importOf(
  setting: Setting,
  bytes: Buffer,
  more: Record<string, unknown> = {},
  user: Person = setting.ada,
) {
  return startImport(setting.deps, { file: uploaded(bytes), path: 'copy', ...more }, user)
}

/** When all is over, the archive included. */
async function ended({ database }: Setting, id: number) {
  await vi.waitFor(
    async () => {
      const rows = await database
        .selectFrom('project_import')
        .select('id')
        .where('project_id', '=', id)
        .execute()
      expect(rows).toEqual([])
    },
    { timeout: 60_000, interval: 20 },
  )
  return database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function problems({ database }: Setting) {
  const rows = await database
    .selectFrom('project_import_problem')
    .select(['part', 'line', 'message'])
    .orderBy('id')
    .execute()
  return rows.map(({ part, line, message }) => `${part} ${line} ${message}`)
}

async function badgeNames(database: Database, projectId: number) {
  const rows = await database
    .selectFrom('badge')
    .select('name')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

function badge(name: string) {
  return { name, link_url: 'https://a.example', image_url: 'https://b.example' }
}

function badgeFile(...names: string[]): PackedEntry {
  return { name: 'badges.ndjson', content: names.map((name) => `${JSON.stringify(badge(name))}\n`).join('') }
}

async function bundleOf(tree: string): Promise<PackedEntry> {
  const file = join(await tempDir(), 'a.bundle')
  await gitOk(tree, 'bundle', 'create', '-q', file, '--branches', '--tags')
  return { name: 'repository.bundle', content: await readFile(file) }
}

describeOnDatabase('imports of archives', (open) => {
  test('a project comes out of its archive as it went in', async () => {
    const setting = await openSetting(open)
    const { database, repositories, ada } = setting
    const source = await createProject(
      setting,
      {
        name: 'It',
        description: 'Mine',
        topics: ['one', 'two'],
        build_timeout: 1200,
        public_jobs: false,
        auto_cancel_pending_pipelines: 'disabled',
        initialize_with_readme: true,
        default_branch: 'trunk',
      },
      ada,
    )
    const sha = (await repositories.resolveRef(source.id, 'trunk'))?.sha ?? ''
    await gitOk(repositories.path(source.id), 'update-ref', 'refs/heads/other', sha)
    await gitOk(repositories.path(source.id), 'update-ref', 'refs/tags/v1', sha)
    await gitOk(repositories.path(source.id), 'update-ref', 'refs/pipelines/7', sha)
    await database
      .insertInto('badge')
      .values({ project_id: source.id, ...badge('b'), created_at: 1 })
      .execute()
    await database
      .updateTable('protected_ref')
      .set({ push_access_level: 30, allow_force_push: true })
      .execute()
    await saveUpload(setting, source, ada, {
      filename: 'note.txt',
      open: () => Readable.from([Buffer.from('hello')]),
    })
    const folder = await tempDir()
    const row = (await findProject(database, source.id)) ?? source
    const archive = await buffer(await buildArchive(setting, row, null, folder, new AbortController().signal))

    const copy = await importOf(setting, archive, {
      name: 'The copy',
      override_params: { build_timeout: 3000 },
    })
    expect(copy).toMatchObject({
      import_status: 'scheduled',
      import_type: 'gitlab_project',
      visibility: 'private',
    })
    setting.work()
    setting.work()
    expect(await ended(setting, copy.id)).toMatchObject({
      import_status: 'finished',
      import_error: null,
      full_path: 'ada/copy',
      name: 'The copy',
      description: 'Mine',
      build_timeout: 3000,
      public_jobs: false,
      default_branch: 'trunk',
      auto_cancel_pending_pipelines: false,
    })
    expect(await problems(setting)).toEqual([])
    expect(await topicNames(database, copy.id)).toEqual(['one', 'two'])
    const branches = (await repositories.listRefs(copy.id, 'branch')).map(({ ref }) => ref)
    expect([branches, await repositories.listTags(copy.id)]).toEqual([['other', 'trunk'], ['v1']])
    expect(await repositories.listPipelineRefs(copy.id)).toEqual([])
    expect(await repositories.readFile(copy.id, sha, 'README.md')).toContain('It')
    const rules = await database
      .selectFrom('protected_ref')
      .select(['name', 'push_access_level', 'allow_force_push'])
      .where('project_id', '=', copy.id)
      .execute()
    expect(rules).toEqual([{ name: 'trunk', push_access_level: 30, allow_force_push: true }])
    expect(await badgeNames(database, copy.id)).toEqual(['b'])
    const uploads = await database
      .selectFrom('project_upload')
      .selectAll()
      .where('project_id', '=', copy.id)
      .execute()
    expect(uploads).toMatchObject([{ filename: 'note.txt', size: 5, uploader_id: ada.id }])
    expect(await readdir(setting.workFolder)).toEqual([])
    expect(await readdir(join(setting.blobFolder, `projects/${copy.id}/imports`))).toEqual([])
  })

  test('an import that is interrupted at any record resumes there without duplicates', async () => {
    const setting = await openSetting(open)
    const { database, parts } = setting
    const archive = await packArchive([projectFile(), badgeFile('a', 'b', 'c')])
    const project = await importOf(setting, archive)
    let written = 0
    // The coordinator ends when the second badge is there, and that is not written down yet.
    const dying = parts.map((part) => ({
      ...part,
      write: async (...given: Parameters<TransferPart['write']>) => {
        await part.write(...given)
        if (++written !== 2) return
        first.stop.abort()
        throw new Error('killed')
      },
    }))
    const first = setting.work(dying)
    await vi.waitFor(() => expect(written).toBe(2), { timeout: 20_000 })
    await first.end()
    expect(await badgeNames(database, project.id)).toEqual(['a', 'b'])
    setting.work()
    setting.work()
    expect(await ended(setting, project.id)).toMatchObject({ import_status: 'finished' })
    expect(await badgeNames(database, project.id)).toEqual(['a', 'b', 'c'])
    expect(await problems(setting)).toEqual([])
  })
})

testAtNight('records that cannot be imported are reported, and the others are imported', async () => {
  const setting = await openSetting()
  const lines = [badge('a'), { ...badge('b'), link_url: 'javascript:alert(1)' }, 'x', badge('c')]
  const entry = { name: 'badges.ndjson', content: lines.map((line) => JSON.stringify(line)).join('\n') }
  const settings = { build_timeout: -1 }
  const project = await importOf(setting, await packArchive([projectFile({ settings }), entry]), {
    override_params: { description: 'Said' },
  })
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({ import_status: 'finished', description: 'Said' })
  expect(await badgeNames(setting.database, project.id)).toEqual(['a', 'c'])
  expect(await problems(setting)).toEqual([
    expect.stringMatching(/^project 1 .*build_timeout/),
    expect.stringMatching(/^badges 2 .*Only allowed schemes are http, https/),
    expect.stringMatching(/^badges 3 .*link_url is missing/),
  ])
})

test('members come along only where an administrator brings the archive', async () => {
  const setting = await openSetting()
  const { database, ada } = setting
  const bob = await addPerson(database, 'bob')
  const root = await addPerson(database, 'root', { admin: true })
  const lines = ['ada', 'bob', 'nobody'].map((username) => JSON.stringify({ username, access_level: 40 }))
  const archive = await packArchive([projectFile(), { name: 'members.ndjson', content: lines.join('\n') }])
  const membersOf = async (id: number) => {
    const rows = await database
      .selectFrom('member')
      .select('user_id')
      .where('project_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ user_id }) => user_id)
  }
  const hers = await importOf(setting, archive)
  const { end } = setting.work()
  await ended(setting, hers.id)
  await end()
  expect(await membersOf(hers.id)).toEqual([ada.id])
  const theirs = await importOf(setting, archive, {}, root)
  setting.work()
  await ended(setting, theirs.id)
  expect(await membersOf(theirs.id)).toEqual([root.id, ada.id, bob.id])
  expect(await problems(setting)).toEqual([expect.stringMatching(/^members 3 .*404 User Not Found/)])
})

/** A tree with an entry named `.git`, which would overwrite the repository that it is checked out in. */
async function evilBundle(): Promise<PackedEntry> {
  const tree = await workTree({ a: 'x' })
  await commit(tree, { a: 'y' })
  const blob = (await gitOk(tree, 'rev-parse', 'HEAD:a')).trim()
  const raw = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
  const file = join(await tempDir(), 'tree')
  await writeFile(file, raw)
  const id = (await gitOk(tree, 'hash-object', '--literally', '-w', '-t', 'tree', file)).trim()
  const sha = (await gitOk(tree, 'commit-tree', '-m', 'evil', id)).trim()
  await gitOk(tree, 'update-ref', 'refs/heads/evil', sha)
  return bundleOf(tree)
}

const MiB = 1024 * 1024
const file = (name: string, content: string | Buffer = 'x'): PackedEntry => ({ name, content })

type HostileArchive = [what: string, pack: () => Promise<Buffer>, reason: RegExp]

const HOSTILE: HostileArchive[] = [
  ['what is no gzip', async () => Buffer.from('hello'), /cannot be read/],
  ['nothing', async () => Buffer.alloc(0), /cannot be read|no project.json/],
  [
    'half an archive',
    async () => (await packArchive([projectFile(), file('badges.ndjson')])).subarray(0, 60),
    /cannot be read/,
  ],
  ['no project.json', () => packArchive([badgeFile('a')]), /no project\.json/],
  ['a project.json that is no JSON', () => packArchive([file('project.json', '{')]), /is not valid JSON/],
  [
    'an archive of another service',
    () => packArchive([file('VERSION', '0.2.4')]),
    /unexpected entry: "VERSION"/,
  ],
  [
    'another format',
    () => packArchive([projectFile({ format: 'x' })]),
    /is not a project archive of this service/,
  ],
  [
    'a newer version',
    () => packArchive([projectFile({ version: 2 })]),
    /has version 2, but this server supports 1/,
  ],
  ['a path that climbs', () => packArchive([projectFile(), file('../evil')]), /unexpected entry: "..\/evil"/],
  [
    'a path that climbs among uploads',
    () => packArchive([projectFile(), file('uploads/../../evil')]),
    /unexpected entry/,
  ],
  ['an absolute path', () => packArchive([projectFile(), file('/tmp/evil')]), /unexpected entry/],
  [
    'a symbolic link',
    () => packArchive([projectFile(), { name: 'avatar', type: 'symlink', linkname: '/etc/passwd' }]),
    /is not a file: "avatar"/,
  ],
  [
    'a hard link',
    () => packArchive([projectFile(), { name: 'badges.ndjson', type: 'link', linkname: 'project.json' }]),
    /is not a file/,
  ],
  [
    'a device',
    () => packArchive([projectFile(), { name: 'avatar', type: 'character-device' }]),
    /is not a file/,
  ],
  ['a file twice', () => packArchive([projectFile(), projectFile()]), /a file twice/],
  [
    'a file that is too large',
    () => packArchive([file('project.json', Buffer.alloc(MiB + 1))]),
    /of more than 1048576 bytes/,
  ],
  [
    'a line without an end',
    () => packArchive([projectFile(), file('badges.ndjson', Buffer.alloc(9 * MiB, 'x'))]),
    /a line of more than/,
  ],
  [
    'a bomb',
    () => packArchive([projectFile(), file('repository.bundle', Buffer.alloc(257 * MiB))]),
    /unpacks to more than 200 times its size/,
  ],
  [
    'a line that is no JSON',
    () => packArchive([projectFile(), file('badges.ndjson', '{}\n{')]),
    /Line 2 of badges\.ndjson is not valid JSON/,
  ],
  [
    'a bundle that is none',
    () => packArchive([projectFile(), file('repository.bundle')]),
    /repository of the archive cannot be used/,
  ],
  [
    'objects made to harm',
    async () => packArchive([projectFile(), await evilBundle()]),
    /repository of the archive cannot be used.*index-pack/,
  ],
]

test.each(sampled(HOSTILE, 7))(
  '%s is refused with the reason, and leaves a project that can be deleted',
  async (_what, bytes, reason) => {
    const setting = await openSetting()
    const { database, repositories } = setting
    const project = await importOf(setting, await bytes())
    setting.work()
    const { import_status, import_error } = await ended(setting, project.id)
    expect([import_status, import_error]).toEqual(['failed', expect.stringMatching(reason)])
    expect(await repositories.isEmpty(project.id)).toBe(true)
    expect(await readdir(setting.workFolder)).toEqual([])
    expect(await readdir(join(setting.blobFolder, `projects/${project.id}/imports`))).toEqual([])
    expect(await deleteProjectRow(database, project.id)).toBe(true)
  },
)

test('an archive whose upload ended with the coordinator is reported as incomplete', async () => {
  const setting = await openSetting()
  const project = await importOf(setting, await packArchive([projectFile()]))
  await setting.blobs.deleteBelow(`projects/${project.id}/imports`)
  await setting.database.updateTable('project_import').set({ claimed_until: 1 }).execute()
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'The archive is incomplete: import it again',
  })
})

testAtNight('an import whose project is deleted before its end overwrites nothing', async () => {
  const setting = await openSetting()
  const { database, ada } = setting
  const old = await createProject(setting, { name: 'Copy', initialize_with_readme: true }, ada)
  const doomed = await importOf(setting, await packArchive([projectFile()]), { overwrite: true })
  await markForDeletion(database, doomed, ada)
  setting.work()
  expect(await ended(setting, doomed.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'The project was deleted during the import',
  })
  expect(await findProject(database, old.id)).toMatchObject({ full_path: 'ada/copy' })
  expect(await restoreProject(database, doomed)).toMatchObject({ full_path: doomed.full_path })
})

test('a project is overwritten after the import succeeds', async () => {
  const setting = await openSetting()
  const { database, ada } = setting
  const old = await createProject(setting, { name: 'Copy', initialize_with_readme: true }, ada)
  const archive = await packArchive([projectFile(), badgeFile('new')])
  await expect(importOf(setting, archive)).rejects.toMatchObject({
    status: 400,
    body: { message: { path: ['has already been taken'] } },
  })

  const broken = await importOf(setting, Buffer.from('no archive'), { overwrite: true })
  const { end } = setting.work()
  expect(broken.full_path).toMatch(/^ada\/copy-import-[0-9a-f]{8}$/)
  expect(await ended(setting, broken.id)).toMatchObject({ import_status: 'failed' })
  expect(await findProject(database, old.id)).toMatchObject({ full_path: 'ada/copy' })

  await end()
  const fresh = await importOf(setting, archive, { overwrite: true, name: 'Copy' })
  setting.work()
  expect(await ended(setting, fresh.id)).toMatchObject({
    import_status: 'finished',
    full_path: 'ada/copy',
    path: 'copy',
    name: 'Copy',
  })
  expect(await findProject(database, old.id)).toBeUndefined()
  expect(await badgeNames(database, fresh.id)).toEqual(['new'])
})

/** The group `crew` with its project `crew/copy`, whose owner `ada` may delete it. */
async function ownedByGroup(setting: Setting) {
  const { database, ada } = setting
  const crew = await createGroup(setting, { name: 'crew', path: 'crew' }, ada)
  const old = await createProject(setting, { name: 'Copy', path: 'copy', namespace_id: crew.id }, ada)
  const levels = database.updateTable('member').where('user_id', '=', ada.id)
  return {
    old,
    /** As a maintainer, `ada` may create projects in the group and not delete them. */
    demote: () => levels.set({ access_level: 40 }).execute(),
    leave: () => levels.set({ access_level: 20 }).execute(),
    wanted: { overwrite: true, namespace: 'crew' },
  }
}

test('the right to overwrite a project is read where the import is stored, and again where the project is deleted', async () => {
  const setting = await openSetting()
  const { old, demote, wanted } = await ownedByGroup(setting)
  const archive = await packArchive([projectFile()])
  const fresh = await importOf(setting, archive, wanted)
  await demote()
  await expect(importOf(setting, archive, wanted)).rejects.toMatchObject({ status: 403 })
  setting.work()
  expect(await ended(setting, fresh.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'You are not allowed to overwrite crew/copy',
  })
  expect(await findProject(setting.database, old.id)).toMatchObject({ full_path: 'crew/copy' })
})

test('an import stops when its user may not create projects in the group any more', async () => {
  const setting = await openSetting()
  const { leave } = await ownedByGroup(setting)
  const project = await importOf(setting, await packArchive([projectFile()]), {
    path: 'other',
    namespace: 'crew',
  })
  await leave()
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    import_error: 'The user who started the import no longer has access',
  })
})

test('an import stops when its user is blocked', async () => {
  const setting = await openSetting()
  const project = await importOf(setting, await packArchive([projectFile()]))
  await setting.database
    .updateTable('user')
    .set({ state: 'blocked' })
    .where('id', '=', setting.ada.id)
    .execute()
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    import_error: 'The user who started the import no longer has access',
  })
})

test('an archive is as large as the settings allow at that time', async () => {
  const setting = await openSetting()
  const bytes = Buffer.alloc(1_048_577)
  const limitTo = (megabytes: number) =>
    setting.database
      .insertInto('application_setting')
      .values({ name: 'max_import_size', value: String(megabytes), value_encrypted: null, updated_at: 0 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(megabytes) }))
      .execute()
  await limitTo(1)
  await expect(importOf(setting, bytes)).rejects.toMatchObject({ status: 413 })
  await limitTo(2)
  await expect(importOf(setting, bytes)).resolves.toMatchObject({ path: 'copy' })
})
