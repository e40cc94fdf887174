import { AccessLevel } from '@gitbeaker/rest'
import { expect, test } from 'vitest'

import { gitOk } from '../support/git-client.js'
import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILdn4sMZ5q0DjYFZ0bsrPn2VfLaHP0nAfFVAV+vgVj6X robot'
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl robot'

const opened = openForFile(() => Service.start())

test('python-gitlab reads and writes branches, tags, files, commits, keys and tokens of a repository', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  const project = await service.addProject({ 'README.md': 'Hello\n' }, ann)
  const { commit } = await ann.gitbeaker.Branches.show(project.id, 'main')
  const input = { url: service.url, token: ann.token, project: project.path, sha: commit.id, key: KEY }
  const get = { kind: 'GitlabGetError', status: 404 }
  const create = { kind: 'GitlabCreateError', status: 400 }
  expect(await runPython('repository.py', input)).toMatchObject({
    branch: ['topic/x', true, false],
    branches: ['main', 'topic/x'],
    found: ['topic/x'],
    branch_again: { ...create, message: 'Branch already exists' },
    no_branch: { ...get, message: '404 Branch Not Found' },
    head_branch: { kind: 'GitlabDeleteError', status: 405, message: 'Cannot remove HEAD branch' },
    protected: ['stable-*', 30],
    protected_again: { ...create, status: 409, message: "Protected branch 'stable-*' already exists" },
    protected_tags: ['v*'],
    file: 'dir/a.txt',
    content: 'one\n',
    raw: 'two\n',
    blame: [['two']],
    exists: { ...create, message: 'A file with this name already exists' },
    no_file: { ...get, message: '404 File Not Found' },
    commit: ['Several', 2, true],
    commits: ['Several', 'Away', 'Change', 'Add', 'README.md'],
    per_page: ['Several', 'Away', 'Change', 'Add', 'README.md'],
    diff: ['b.txt', 'c.txt'],
    refs: [{ type: 'branch', name: 'work' }],
    comments: ['Nice'],
    picked: 'Several',
    conflict: { kind: 'GitlabCherryPickError', status: 400 },
    reverted: 'Revert "Several"',
    no_commit: { ...get, message: '404 Commit Not Found' },
    status: [],
    tree: ['README.md', 'b.txt', 'c.txt'],
    paged: ['README.md', 'b.txt', 'c.txt'],
    keyset: ['README.md', 'b.txt', 'c.txt'],
    blob: 2,
    raw_blob: 'b\n',
    zip: 'PK',
    compare: ['Several'],
    merge_base: 'Away',
    contributors: expect.arrayContaining(['ann@example.com', 'ada@example.com']) as string[],
    tag: ['v1.0', 'First', false],
    tags: ['v1.0'],
    tag_again: { kind: 'GitlabCreateError', status: 405, message: 'Tag v1.0 already exists' },
    no_tag: { ...get, message: '404 Tag Not Found' },
    left: ['main', 'work'],
    key: ['robot', false],
    keys: [['robot', true]],
    bad_key: create,
    deploy_token: ['pull', 'robot', true],
    deploy_tokens: ['pull'],
  })
})

test('@gitbeaker/rest reads and writes a repository', async () => {
  const service = opened()
  const bob = await service.addPerson('bob')
  const { id } = await service.addProject({ 'README.md': 'Hello\n' }, bob)
  const api = bob.gitbeaker
  expect(await api.Branches.create(id, 'f/x', 'main')).toMatchObject({ name: 'f/x' })
  expect(await refusalOf(api.Branches.create(id, 'f/x', 'main'))).toEqual({
    status: 400,
    description: 'Branch already exists',
  })
  await api.Branches.remove(id, 'f/x')
  expect(await api.Branches.all(id)).toMatchObject([{ name: 'main', default: true }])
  expect(
    await api.ProtectedBranches.create(id, 'stable', { pushAccessLevel: AccessLevel.MAINTAINER }),
  ).toMatchObject({
    name: 'stable',
  })
  expect(await api.RepositoryFiles.create(id, 'dir/a.txt', 'main', 'one\n', 'Add')).toMatchObject({
    branch: 'main',
  })
  await api.RepositoryFiles.edit(id, 'dir/a.txt', 'main', 'two\n', 'Change')
  expect(await api.RepositoryFiles.show(id, 'dir/a.txt', 'main')).toMatchObject({
    content: Buffer.from('two\n').toString('base64'),
  })
  expect(await api.RepositoryFiles.showRaw(id, 'dir/a.txt', 'main')).toBe('two\n')
  await api.RepositoryFiles.remove(id, 'dir/a.txt', 'main', 'Away')
  expect(await refusalOf(api.RepositoryFiles.show(id, 'dir/a.txt', 'main'))).toMatchObject({ status: 404 })
  const commit = await api.Commits.create(
    id,
    'work',
    'Several',
    [{ action: 'create', filePath: 'b', content: 'b' }],
    {
      startBranch: 'main',
    },
  )
  expect(await api.Commits.show(id, commit.id)).toMatchObject({ title: 'Several', stats: { total: 1 } })
  expect(await api.Commits.all(id, { refName: 'work', perPage: 2 })).toHaveLength(5)
  expect(await api.Commits.showDiff(id, commit.id)).toMatchObject([{ new_path: 'b' }])
  expect(await api.Commits.cherryPick(id, commit.id, 'main')).toMatchObject({ title: 'Several' })
  expect(await api.Repositories.allRepositoryTrees(id, { ref: 'work', recursive: true })).toMatchObject([
    { path: 'README.md' },
    { path: 'b' },
  ])
  expect(await api.Repositories.compare(id, 'main', 'work')).toMatchObject({
    commits: [{ title: 'Several' }],
  })
  const archive = await api.Repositories.showArchive(id, { fileType: 'zip' })
  expect(archive.size).toBeGreaterThan(100)
  expect(await api.Tags.create(id, 'v1', 'main')).toMatchObject({ name: 'v1' })
  expect(await refusalOf(api.Tags.create(id, 'v1', 'main'))).toEqual({
    status: 405,
    description: 'Tag v1 already exists',
  })
  await api.Tags.remove(id, 'v1')
  const key = await api.DeployKeys.create(id, 'robot', OTHER_KEY)
  expect(await api.DeployKeys.all({ projectId: id })).toMatchObject([{ id: key.id, title: 'robot' }])
  await api.DeployKeys.remove(id, key.id)
})

test('a deploy token clones over HTTP, and the sources of a tag come outside the API', async () => {
  const service = opened()
  const project = await service.addProject({ 'README.md': 'Hello\n' })
  const body = { name: 'pull', scopes: ['read_repository'], username: 'robot' }
  const path = `/projects/${project.id}/deploy_tokens`
  const { token } = await service.json<{ token: string }>('POST', path, body)
  const remote = `${service.url.replace('//', `//robot:${token}@`)}/${project.path}.git`
  expect(await gitOk('.', 'ls-remote', '--heads', remote)).toContain('refs/heads/main')
  await service.json('POST', `/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  const name = project.path.split('/').at(-1) ?? ''
  const sources = `${service.url}/${project.path}/-/archive/v1/${name}-v1.tar.gz`
  const sent = await fetch(sources, { headers: { 'private-token': project.owner.token } })
  expect([sent.status, sent.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="${name}-v1.tar.gz"; filename*=UTF-8''${name}-v1.tar.gz`,
  ])
  await sent.arrayBuffer()
  expect((await fetch(sources)).status).toBe(404)
})
