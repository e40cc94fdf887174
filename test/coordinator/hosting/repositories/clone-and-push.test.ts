import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ZERO_ID } from '../../../../src/git/names.js'
import { addCommits, commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight, variants } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { gitServerForFile } from './git-server.js'

const startGitServer = gitServerForFile()

test('the first push makes its branch the default one, protects it, and starts a pipeline before git is served', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const sha = await gitOk(tree, 'rev-parse', 'HEAD')
  expect(server.pushed).toMatchObject([
    {
      ref: 'main',
      refType: 'branch',
      sha,
      beforeSha: ZERO_ID,
      source: 'push',
      skip: false,
      variables: [],
      project: { id: server.project.id, default_branch: 'main' },
      user: { id: server.owner.id },
    },
  ])
  const rules = await server.database.selectFrom('protected_ref').selectAll().execute()
  expect(rules).toMatchObject([
    { kind: 'branch', name: 'main', push_access_level: 40, merge_access_level: 40, allow_force_push: false },
  ])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  const project = await server.database.selectFrom('project').selectAll().executeTakeFirstOrThrow()
  expect(project.last_activity_at).toBeGreaterThanOrEqual(server.project.last_activity_at)
})

testAtNight('of several first branches main is the default one, and clones check it out', async () => {
  const server = await startGitServer()
  const tree = await workTree({ 'dir/file': 'content\n' })
  await gitOk(tree, 'branch', 'alpha')
  await gitOk(tree, 'push', server.remote(), 'alpha', 'main')
  const clone = join(await tempDir(), 'clone')
  await gitOk('/', 'clone', '--quiet', server.remote(), clone)
  expect(await gitOk(clone, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main')
  expect(await readFile(join(clone, 'dir/file'), 'utf8')).toBe('content\n')
})

test.each(variants(['0', '2'], ['1']))(
  'protocol version %s clones, fetches and shallow-fetches a hidden commit',
  async (version) => {
    const server = await startGitServer()
    const tree = await workTree()
    const first = await gitOk(tree, 'rev-parse', 'HEAD')
    await commit(tree, { b: 'b' })
    await gitOk(tree, 'push', server.remote(), 'main')
    await server.repositories.createPipelineRef(server.project.id, 7, first)
    const runner = await tempDir()
    await gitOk(runner, 'init', '--quiet')
    const fetch = ['-c', `protocol.version=${version}`, 'fetch', server.remote()]
    await gitOk(runner, ...fetch, '--depth', '1', '+refs/pipelines/7:refs/pipelines/7')
    expect(await gitOk(runner, 'rev-parse', 'refs/pipelines/7')).toBe(first)
    await gitOk(runner, ...fetch, '--depth', '1', '+refs/heads/main:refs/remotes/origin/main')
    await gitOk(runner, ...fetch, '--unshallow', '+refs/heads/*:refs/remotes/origin/*')
    expect(await gitOk(runner, 'rev-list', '--count', 'origin/main')).toBe('2')
    await gitOk(runner, ...fetch, first)
  },
)

test('a large request is sent packed and is understood', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await addCommits(tree, 60)
  await gitOk(tree, 'push', server.remote(), 'main')
  const clone = join(await tempDir(), 'clone')
  await gitOk('/', 'clone', '--quiet', server.remote(), clone)
  // What the two sides have in common is listed in a request of more than a kilobyte, which git packs.
  await addCommits(clone, 60)
  await commit(tree, { next: 'x' })
  await gitOk(tree, 'push', server.remote(), 'main')
  await gitOk(clone, 'fetch', server.remote(), 'main')
  expect(await gitOk(clone, 'rev-parse', 'FETCH_HEAD')).toBe(await gitOk(tree, 'rev-parse', 'HEAD'))
})

test('push options reach the pipeline', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', '-o', 'ci.skip', '-o', 'ci.variable=DEPLOY=to here', server.remote(), 'main')
  expect(server.pushed).toMatchObject([
    { skip: true, variables: [{ key: 'DEPLOY', value: 'to here', variable_type: 'env_var' }] },
  ])
})

test('an annotated tag runs at its commit, a tag on a file not at all', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'tag', '-a', '-m', 'first', 'v1')
  await gitOk(tree, 'tag', 'file', 'HEAD:a')
  await gitOk(tree, 'push', server.remote(), 'v1', 'file')
  const sha = await gitOk(tree, 'rev-parse', 'HEAD')
  expect(server.pushed).toMatchObject([{ ref: 'v1', refType: 'tag', sha }])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test('a push of many refs starts pipelines for four, a deletion for none', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const branches = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']
  for (const branch of branches) await gitOk(tree, 'branch', branch)
  await gitOk(tree, 'push', server.remote(), ...branches)
  expect(server.pushed.map(({ ref }) => ref)).toEqual(['b1', 'b2', 'b3', 'b4'])
  await gitOk(tree, 'push', server.remote(), ':b2', ':b3')
  expect(server.pushed).toHaveLength(4)
  expect(await server.repositories.resolveRef(server.project.id, 'b2')).toBeUndefined()
})

test('a pipeline runs for the refs that moved and for no other', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main', 'main:taken/by')
  const before = server.pushed.length
  // `taken` cannot be a branch beside `taken/by`, which git finds out when it moves the refs.
  const { exitCode } = await git(tree, 'push', server.remote(), 'main:fresh', 'main:taken')
  expect(exitCode).toBe(1)
  expect(server.pushed.slice(before).map(({ ref }) => ref)).toEqual(['fresh'])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test('an atomic push moves all or nothing', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main:taken/by')
  const { exitCode } = await git(tree, 'push', '--atomic', server.remote(), 'main:fresh', 'main:taken')
  expect(exitCode).toBe(1)
  expect(await server.repositories.resolveRef(server.project.id, 'fresh')).toBeUndefined()
})

test('a broken pipeline does not fail the push, and stays recorded', async () => {
  const server = await startGitServer()
  server.onPipeline.create = () => Promise.reject(new Error('no disk'))
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const pushes = await server.database.selectFrom('push').selectAll().execute()
  expect(pushes).toMatchObject([{ changes: [{ ref: 'refs/heads/main', before: ZERO_ID }] }])
})

testAtNight('the git capabilities are the same for each request, after the access check', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const ask = (token: string) =>
    fetch(`${server.url}/ada/app.git/info/refs?service=git-upload-pack`, {
      headers: {
        'git-protocol': 'version=2',
        authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}`,
      },
    })
  const first = await (await ask(server.ownerToken)).text()
  expect(first).toContain('version 2\n')
  expect(first).toContain('fetch=')
  const again = await ask(server.ownerToken)
  expect(again.headers.get('content-type')).toBe('application/x-git-upload-pack-advertisement')
  expect(await again.text()).toBe(first)
  expect((await ask('wrong')).status).toBe(401)
  const sha = await commit(tree, { later: 'later\n' })
  await gitOk(tree, 'push', server.remote(), 'main')
  expect(
    await gitOk(tree, '-c', 'protocol.version=2', 'ls-remote', server.remote(), 'refs/heads/main'),
  ).toMatch(sha)
})

testAtNight('listeners receive branches that a push deletes, but not tags or refused deletions', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main', 'main:topic', 'main:other', 'main:refs/tags/t')
  await gitOk(tree, 'push', server.remote(), ':topic', ':other')
  await gitOk(tree, 'push', server.remote(), ':refs/tags/t')
  const refused = await git(tree, 'push', server.remote(), ':main')
  expect(refused.output).toContain('cannot be deleted')
  const deleted = { projectId: server.project.id, userId: server.owner.id }
  expect(server.deleted).toEqual([
    { ...deleted, branch: 'other' },
    { ...deleted, branch: 'topic' },
  ])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})
