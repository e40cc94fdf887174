import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { Avatars } from '../../../../src/coordinator/hosting/avatars/avatars.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { forkProject } from '../../../../src/coordinator/hosting/projects/fork/fork-project.js'
import { ImportWorker } from '../../../../src/coordinator/hosting/projects/import/import-worker.js'
import { deleteProjectRow } from '../../../../src/coordinator/hosting/projects/store.js'
import { writeFirstCommit } from '../../../../src/coordinator/hosting/repositories/first-commit.js'
import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { addPerson, type Person, testSecrets } from '../../support/test-app.js'
import { startGitServer } from '../repositories/git-server.js'

interface Setting {
  deps: Parameters<typeof createProject>[0]
  repositories: Repositories
  database: Database
  ada: Person
  /** Runs pending imports until the test ends, as one more coordinator. */
  work: () => AbortController
  status: (
    id: number,
  ) => Promise<{ import_status: string; import_error: string | null; default_branch: string | null }>
}

async function openSetting(open: OpenDatabase = openSqlite, allowLocalNetwork = true): Promise<Setting> {
  const { database } = await open()
  const repositories = new Repositories(join(await tempDir(), 'repositories'))
  const egress = new EgressClient({ allowLocalNetwork })
  onTestFinished(async () => {
    await repositories.close()
    await egress.close()
  })
  const secrets = testSecrets()
  const [blobs, workFolder] = [new FolderBlobStore(await tempDir()), await tempDir()]
  const deps = { database, repositories, secrets, imports: NO_IMPORTS }
  const work = () => {
    const stop = new AbortController()
    const worker = new ImportWorker({
      ...deps,
      wikiRepositories: repositories,
      addWiki: () => Promise.reject(new Error('Not an archive')),
      logger: createLogger('test', 'silent'),
      addressOf: (url) => egress.addressOf(url),
      onFilled: () => undefined,
      blobs,
      avatars: new Avatars({ database, blobs }),
      parts: [],
      workFolder,
      deleteProjectIf: async () => false,
    })
    const running = worker.run(stop.signal)
    onTestFinished(async () => {
      stop.abort()
      await running
    })
    return stop
  }
  const status = (id: number) =>
    database
      .selectFrom('project')
      .select(['import_status', 'import_error', 'default_branch'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  return { deps, repositories, database, ada: await addPerson(database, 'ada'), work, status }
}

async function ended({ status }: Setting, id: number) {
  return vi.waitFor(
    async () => {
      const found = await status(id)
      expect(['finished', 'failed']).toContain(found.import_status)
      return found
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function sourceProject({ deps, repositories, ada }: Setting) {
  const source = await createProject(deps, { name: 'source', initialize_with_readme: true }, ada)
  const sha = (await repositories.resolveRef(source.id, 'main'))?.sha ?? ''
  await gitOk(repositories.path(source.id), 'update-ref', 'refs/heads/other', sha)
  await gitOk(repositories.path(source.id), 'update-ref', 'refs/tags/v1', sha)
  return source
}

describeOnDatabase('forks', (open) => {
  test('a fork gets the branches and tags of its source, and nothing that follows', async () => {
    const setting = await openSetting(open)
    const source = await sourceProject(setting)
    const fork = await forkProject(setting.deps, source, { path: 'copy' }, setting.ada)
    expect(fork).toMatchObject({
      import_status: 'scheduled',
      forked_from_id: source.id,
      default_branch: null,
    })
    setting.work()
    expect(await ended(setting, fork.id)).toMatchObject({ import_status: 'finished', default_branch: 'main' })
    const { repositories } = setting
    const branches = (await repositories.listRefs(fork.id, 'branch')).map(({ ref }) => ref)
    expect([branches, await repositories.listTags(fork.id)]).toEqual([['main', 'other'], ['v1']])
    expect(await gitOk(repositories.path(fork.id), 'config', '--list', '--local')).not.toContain('remote.')
    await deleteProjectRow(setting.database, source.id)
    await repositories.delete(source.id)
    await gitOk(repositories.path(fork.id), 'fsck', '--strict')
  })

  test('an import that a killed coordinator has begun is taken up by another', async () => {
    const setting = await openSetting(open)
    const source = await sourceProject(setting)
    const fork = await forkProject(setting.deps, source, { path: 'copy' }, setting.ada)
    await setting.database
      .updateTable('project_import')
      .set({ claimed_until: Date.now() - 1 })
      .execute()
    const unfinished = `${setting.repositories.path(fork.id)}.import`
    await mkdir(unfinished, { recursive: true })
    await writeFile(join(unfinished, 'HEAD'), 'half')
    setting.work()
    setting.work()
    expect(await ended(setting, fork.id)).toMatchObject({ import_status: 'finished', default_branch: 'main' })
    expect(await setting.database.selectFrom('project_import').selectAll().execute()).toEqual([])
  })
})

testAtNight('only the requested branch is copied', async () => {
  const setting = await openSetting()
  const source = await sourceProject(setting)
  const fork = await forkProject(setting.deps, source, { path: 'copy', branches: 'other' }, setting.ada)
  setting.work()
  expect(await ended(setting, fork.id)).toMatchObject({ import_status: 'finished', default_branch: 'other' })
  const refs = await setting.repositories.listRefs(fork.id, 'branch')
  expect(refs.map(({ ref }) => ref)).toEqual(['other'])
})

testAtNight('a fork whose source is deleted reports the failed import and accepts pushes', async () => {
  const setting = await openSetting()
  const source = await sourceProject(setting)
  const fork = await forkProject(setting.deps, source, { path: 'copy' }, setting.ada)
  await deleteProjectRow(setting.database, source.id)
  setting.work()
  expect(await ended(setting, fork.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'The source project no longer exists',
  })
  const { repositories } = setting
  await writeFirstCommit(repositories.path(fork.id), {
    branch: 'main',
    message: 'x',
    author: { name: 'a', email: 'a@b' },
    file: { name: 'x', content: 'x' },
  })
  expect(await repositories.resolveRef(fork.id, 'main')).toBeDefined()
})

test.each<[string, (setting: Setting, source: number, bob: number) => Promise<unknown>]>([
  [
    'is blocked',
    ({ database }, _, bob) =>
      database.updateTable('user').set({ state: 'blocked' }).where('id', '=', bob).execute(),
  ],
  [
    'has left the source',
    ({ database }, _, bob) => database.deleteFrom('member').where('user_id', '=', bob).execute(),
  ],
  [
    'is a guest of the source',
    ({ database }, _, bob) =>
      database.updateTable('member').set({ access_level: 10 }).where('user_id', '=', bob).execute(),
  ],
  [
    'may not fork it any more, as nobody may',
    ({ database }, source) =>
      database
        .updateTable('project')
        .set({ forking_access_level: 'disabled' })
        .where('id', '=', source)
        .execute(),
  ],
])('a fork is not filled when its user %s', async (_, lose) => {
  const setting = await openSetting()
  const { database, repositories } = setting
  const source = await sourceProject(setting)
  const bob = await addPerson(database, 'bob')
  const membership = { project_id: source.id, user_id: bob.id, access_level: 20, created_at: 0 }
  await database.insertInto('member').values(membership).execute()
  const fork = await forkProject(setting.deps, source, { path: 'copy' }, bob)
  await lose(setting, source.id, bob.id)
  setting.work()
  expect(await ended(setting, fork.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'The user who started the import no longer has access',
  })
  expect(await repositories.listRefs(fork.id, 'branch')).toEqual([])
})

test('an import uses the credentials in its address and does not disclose them', async () => {
  const elsewhere = await startGitServer()
  const tree = await workTree({ 'a.txt': 'hello' })
  await gitOk(tree, 'push', '--quiet', elsewhere.remote(), 'HEAD:refs/heads/trunk')
  const setting = await openSetting()
  const { deps, ada } = setting
  const project = await createProject(deps, { name: 'it', import_url: elsewhere.remote() }, ada)
  expect(project).toMatchObject({ import_status: 'scheduled', import_type: 'git' })
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    import_status: 'finished',
    default_branch: 'trunk',
  })
  const sha = (await setting.repositories.resolveRef(project.id, 'trunk'))?.sha ?? ''
  expect(await setting.repositories.readFile(project.id, sha, 'a.txt')).toBe('hello')
  const config = await gitOk(setting.repositories.path(project.id), 'config', '--list', '--local')
  expect(config).not.toContain(elsewhere.ownerToken)
})

test('a refused import gives the reason, without the credentials', async () => {
  const elsewhere = await startGitServer()
  const setting = await openSetting()
  const wrong = elsewhere.remote('wrong-token-1234')
  const project = await createProject(setting.deps, { name: 'it', import_url: wrong }, setting.ada)
  setting.work()
  const { import_status, import_error } = await ended(setting, project.id)
  expect(import_status).toBe('failed')
  expect(import_error).toContain('could not be copied')
  expect(import_error).not.toContain('wrong-token-1234')
})

test('a host name that resolves to the local network is refused', async () => {
  const elsewhere = await startGitServer()
  const setting = await openSetting(openSqlite, false)
  const url = elsewhere.remote().replace('127.0.0.1', 'localhost')
  const project = await createProject(setting.deps, { name: 'it', import_url: url }, setting.ada)
  setting.work()
  expect(await ended(setting, project.id)).toMatchObject({
    import_status: 'failed',
    import_error: expect.stringContaining('local network') as string,
  })
})

test.each([
  ['ftp://example.com/a.git', 'is blocked: Only allowed schemes are http, https'],
  ['file:///etc', 'is blocked: Only allowed schemes are http, https'],
  ['ext::sh -c id', 'is blocked: Only allowed schemes are http, https'],
  ['nothing', 'must be a valid URL'],
  ['http://127.0.0.1/a.git', 'is blocked: Requests to the local network are not allowed'],
  ['http://[::1]/a.git', 'is blocked: Requests to the local network are not allowed'],
  ['http://2130706433/a.git', 'is blocked: Requests to the local network are not allowed'],
  ['http://localhost/a.git', 'is blocked: Requests to localhost are not allowed'],
])('%s is no address to import from: %s', async (import_url, problem) => {
  const { deps, ada } = await openSetting()
  const imports = {
    ...NO_IMPORTS,
    refuses: (address: string) => new EgressClient({ allowLocalNetwork: false }).refuses(address),
  }
  await expect(createProject({ ...deps, imports }, { name: 'it', import_url }, ada)).rejects.toMatchObject({
    status: 400,
    body: { message: { import_url: [problem] } },
  })
})
