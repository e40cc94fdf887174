import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Project } from '../../../../src/coordinator/access/caller.js'
import { createDeployToken } from '../../../../src/coordinator/hosting/deploy-tokens/deploy-tokens.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { runHousekeeping } from '../../../../src/coordinator/hosting/repositories/housekeeping/run-housekeeping.js'
import { headOfWiki } from '../../../../src/coordinator/hosting/wikis/head-of-wiki.js'
import { listPages } from '../../../../src/coordinator/hosting/wikis/pages.js'
import { listWikis } from '../../../../src/coordinator/hosting/wikis/store.js'
import { createPage, requireWikiPage } from '../../../../src/coordinator/hosting/wikis/wikis.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { addMember, addRunningJob, type GitServer, gitServerForFile } from '../repositories/git-server.js'

const startGitServer = gitServerForFile()

const LIVE = new AbortController().signal

const address = (server: GitServer, token = server.ownerToken) =>
  server.remote(token).replace('app.git', 'app.wiki.git')

async function addPage({ services, owner, project }: GitServer, title = 'home'): Promise<void> {
  const writer = { owner: project, user: owner, signal: LIVE }
  await createPage(services, writer, { title, content: '# A' })
}

async function change({ database, project }: GitServer, values: object): Promise<void> {
  await database.updateTable('project').set(values).where('id', '=', project.id).execute()
}

async function slugs({ services, project }: GitServer): Promise<string[]> {
  const reading = services.wikiRepositories.reading(project.id, LIVE)
  const head = await headOfWiki(services.wikiRepositories, project.id)
  return head === undefined ? [] : (await listPages(reading, head)).map(({ slug }) => slug)
}

const said = (text: string) => ({ exitCode: 128, output: expect.stringContaining(text) as string })

test('a wiki is cloned by those who read it, and pushed by those who write it', async () => {
  const server = await startGitServer()
  const [guest, developer] = [await addMember(server, 'gus', 10), await addMember(server, 'dev', 30)]
  await addPage(server)
  const clone = join(await tempDir(), 'clone')
  await gitOk('/', 'clone', '--quiet', address(server, guest), clone)
  expect(await gitOk(clone, 'ls-files')).toBe('home.md')
  await commit(clone, { 'Setup/First steps.org': '* B', 'a.png': 'x' })
  const refused = await git(clone, 'push', address(server, guest), 'HEAD:main')
  expect(refused).toEqual(said('You are not allowed to write to this wiki.'))
  await gitOk(clone, 'push', '--quiet', address(server, developer), 'HEAD:main')
  expect(await slugs(server)).toEqual(['home', 'Setup/First-steps'])
  const page = await requireWikiPage(server.services, server.project.id, { slug: 'setup/first-steps' }, LIVE)
  expect(page).toMatchObject({ title: 'First steps', format: 'org', path: 'Setup/First steps.org' })
  const { size } = await server.database.selectFrom('wiki').selectAll().executeTakeFirstOrThrow()
  expect(size).toBeGreaterThan(0)
  // Neither other branches nor its end; and nothing that the project hears of.
  for (const ref of ['HEAD:other', ':main', 'HEAD:refs/tags/v1']) {
    expect((await git(clone, 'push', address(server), ref)).exitCode).toBe(1)
  }
  expect(server.pushed).toEqual([])
})

testAtNight('a wiki without pages is cloned by its writers, who push the first', async () => {
  const server = await startGitServer()
  const guest = await addMember(server, 'gus', 10)
  const none = await git('/', 'ls-remote', address(server, guest))
  expect(none).toEqual(said('not found'))
  expect(await gitOk('/', 'ls-remote', address(server))).toBe('')
  const tree = await workTree({ 'home.md': '# A' })
  await gitOk(tree, 'push', '--quiet', address(server), 'HEAD:main')
  expect(await slugs(server)).toEqual(['home'])
})

test('a wiki is hidden from those who do not read it, and read-only in an archived project', async () => {
  const server = await startGitServer()
  await addPage(server)
  const stranger = await addMember(server, 'eve', 0)
  const list = (token: string) => git('/', 'ls-remote', address(server, token))
  expect(await list(stranger)).toEqual(said('not found'))
  expect(await list('nothing')).toEqual(said('Authentication failed'))
  await change(server, { visibility: 'public' })
  expect((await list(stranger)).exitCode).toBe(0)
  expect((await git('/', 'ls-remote', `${server.url}/ada/app.wiki.git`)).exitCode).toBe(0)
  await change(server, { wiki_access_level: 'private' })
  expect(await list(stranger)).toEqual(said('403'))
  await change(server, { wiki_access_level: 'disabled' })
  expect(await list(server.ownerToken)).toEqual(said('403'))
  await change(server, { wiki_access_level: 'enabled', archived: true })
  expect((await list(server.ownerToken)).exitCode).toBe(0)
  const push = await git(await workTree({ a: 'a' }), 'push', '--force', address(server), 'HEAD:main')
  expect(push).toEqual(said('This project is archived: its wiki is read-only.'))
})

testAtNight('a job reads the wiki of its project, but does not push to it', async () => {
  const server = await startGitServer()
  await addPage(server)
  const token = await addRunningJob(server, server.project)
  expect((await git('/', 'ls-remote', address(server, token))).exitCode).toBe(0)
  const push = await git(await workTree({ a: 'a' }), 'push', '--force', address(server, token), 'HEAD:main')
  expect(push).toEqual(said('You are not allowed to write to this wiki.'))
})

test('a deploy token reads the wiki of its project alone, and so does a job without an allowlist', async () => {
  const server = await startGitServer()
  await addPage(server)
  const { database, services, owner } = server
  const other = await createProject({ ...services, imports: NO_IMPORTS }, { name: 'other' }, owner)
  const tokenOf = async (project: Project) =>
    (
      await createDeployToken(database, { project_id: project.id }, owner, {
        name: 'machine',
        scopes: ['read_repository'],
      })
    ).token
  const list = (token: string) => git('/', 'ls-remote', address(server, token))
  expect((await list(await tokenOf(server.project))).exitCode).toBe(0)
  expect(await list(await tokenOf(other))).toEqual(said('not found'))
  expect(await list(await addRunningJob(server, other))).toEqual(said('not found'))
  const tree = await workTree({ a: 'a' })
  const push = await git(tree, 'push', '--force', address(server, await tokenOf(server.project)), 'HEAD:main')
  expect(push).toEqual(said('You are not allowed to write to this wiki.'))
})

test('symbolic links and submodules that were pushed are no pages', async () => {
  const server = await startGitServer()
  const tree = await workTree({ 'home.md': '# A' })
  await symlink('/etc/passwd', join(tree, 'secret.md'))
  await symlink('home.md', join(tree, 'inner.md'))
  const head = await commit(tree, {})
  await gitOk(tree, 'update-index', '--add', '--cacheinfo', `160000,${head},sub.md`)
  await gitOk(tree, 'commit', '--quiet', '--message', 'more')
  await gitOk(tree, 'push', '--quiet', address(server), 'HEAD:main')
  expect(await slugs(server)).toEqual(['home'])
  for (const slug of ['secret', 'inner', 'sub', 'secret.md/passwd']) {
    await expect(requireWikiPage(server.services, server.project.id, { slug }, LIVE)).rejects.toThrow('404')
  }
})

testAtNight('git follows a wiki to the new path of its project', async () => {
  const server = await startGitServer()
  await addPage(server)
  const { id } = server.project
  await change(server, { path: 'new', full_path: 'ada/new' })
  await server.database
    .insertInto('old_path')
    .values({ path: 'ada/app', project_id: id, created_at: 0 })
    .execute()
  const moved = await git('/', 'ls-remote', address(server))
  expect(moved).toMatchObject({ exitCode: 0, output: expect.stringContaining('refs/heads/main') as string })
})

testAtNight('a wiki that was pushed to often is put together', async () => {
  const server = await startGitServer()
  const { services, project } = server
  const tree = await workTree({ 'home.md': '0' })
  for (const text of ['1', '2', '3']) {
    await gitOk(tree, 'push', '--quiet', address(server), 'HEAD:main')
    await commit(tree, { 'home.md': text })
  }
  const packs = async () =>
    (await readdir(join(services.wikiRepositories.path(project.id), 'objects', 'pack'))).filter((name) =>
      name.endsWith('.pack'),
    ).length
  expect(await packs()).toBe(3)
  const kept = {
    ...services,
    repositories: services.wikiRepositories,
    listIds: () => listWikis(services.database),
    deletedPipelines: () => Promise.resolve([]),
    manyPacks: 3,
  }
  expect(await runHousekeeping(kept, LIVE)).toBe(1)
  expect(await packs()).toBe(1)
  expect(await slugs(server)).toEqual(['home'])
})
