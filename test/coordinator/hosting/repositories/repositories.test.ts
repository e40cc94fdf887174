import { access } from 'node:fs/promises'

import { expect, onTestFinished, test } from 'vitest'

import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { runGit } from '../../../../src/git/run-git.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '1714550400 +0200',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '1714550400 +0200',
}

async function newRepositories(): Promise<Repositories> {
  const repositories = new Repositories(await tempDir())
  onTestFinished(() => repositories.close())
  await repositories.create(1)
  return repositories
}

/** A commit with one file, not yet on any branch. */
async function commit(repositories: Repositories, path: string, text: string): Promise<string> {
  const git = async (args: string[], input = ''): Promise<string> =>
    (await runGit(['--git-dir', repositories.path(1), ...args], { input, environment: identity })).trim()
  const blob = await git(['hash-object', '-w', '--stdin'], text)
  const tree = await git(['mktree'], `100644 blob ${blob}\t${path}\n`)
  return git(['commit-tree', tree, '-m', `Add ${path}`])
}

async function setRef(repositories: Repositories, ref: string, sha: string): Promise<void> {
  await runGit(['--git-dir', repositories.path(1), 'update-ref', ref, sha])
}

test('a new repository is empty, has no hooks, and creating it again changes nothing', async () => {
  const repositories = await newRepositories()
  await repositories.create(1)
  expect(await repositories.isEmpty(1)).toBe(true)
  expect(await repositories.listRefs(1, 'branch')).toEqual([])
  await expect(access(`${repositories.path(1)}/hooks`)).rejects.toThrow('ENOENT')
})

test('a file is read at its commit; any other object gives undefined', async () => {
  const repositories = await newRepositories()
  const sha = await commit(repositories, '.gitlab-ci.yml', 'job: {}\n')
  expect(await repositories.readFile(1, sha, '.gitlab-ci.yml')).toBe('job: {}\n')
  for (const path of [
    'missing',
    '',
    './.gitlab-ci.yml',
    '../x',
    '.',
    '/etc/passwd',
    'a\nb',
    '.gitlab-ci.yml/x',
  ]) {
    expect(await repositories.readFile(1, sha, path)).toBeUndefined()
  }
  expect(await repositories.readFile(1, 'main', '.gitlab-ci.yml')).toBeUndefined()
  expect(await repositories.readFile(1, 'f'.repeat(40), '.gitlab-ci.yml')).toBeUndefined()
})

testAtNight('the branch of a commit is the first by name that has it in its history', async () => {
  const repositories = await newRepositories()
  const sha = await commit(repositories, 'a', 'a')
  expect(await repositories.branchContaining(1, sha)).toBeUndefined()
  await setRef(repositories, 'refs/tags/v1', sha)
  expect(await repositories.branchContaining(1, sha)).toBeUndefined()
  await setRef(repositories, 'refs/heads/main', sha)
  await setRef(repositories, 'refs/heads/feature/one', sha)
  expect(await repositories.branchContaining(1, sha)).toBe('feature/one')
  expect(await repositories.branchContaining(1, 'f'.repeat(40))).toBeUndefined()
})

test('a commit is read by its id only', async () => {
  const repositories = await newRepositories()
  const sha = await commit(repositories, 'a', 'a')
  expect(await repositories.readCommit(1, sha)).toEqual({
    id: sha,
    parentIds: [],
    title: 'Add a',
    message: 'Add a\n',
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
    authoredDate: '2024-05-01T10:00:00.000+02:00',
    committerName: 'Ada',
    committerEmail: 'ada@example.com',
    committedDate: '2024-05-01T10:00:00.000+02:00',
  })
  await setRef(repositories, 'refs/heads/main', sha)
  await expect(repositories.readCommit(1, 'main')).rejects.toThrow('Commit not found')
})

test('the message of an annotated tag is read without its signature', async () => {
  const repositories = await newRepositories()
  const sha = await commit(repositories, 'a', 'a')
  const message =
    'First release\n\nWith notes.\n-----BEGIN PGP SIGNATURE-----\nxyz\n-----END PGP SIGNATURE-----\n'
  await runGit(['--git-dir', repositories.path(1), 'tag', '-a', '-F', '-', 'v1', sha], {
    environment: identity,
    input: message,
  })
  await setRef(repositories, 'refs/tags/light', sha)
  expect(await repositories.tagMessage(1, 'v1')).toBe('First release\n\nWith notes.')
  for (const name of ['light', 'none', 'v1~0', '']) {
    expect(await repositories.tagMessage(1, name)).toBeUndefined()
  }
})

test('branches and tags are found by name, updates are visible immediately, and a branch precedes a tag of its name', async () => {
  const repositories = await newRepositories()
  const first = await commit(repositories, 'a', 'a')
  const second = await commit(repositories, 'b', 'b')
  expect(await repositories.resolveRef(1, 'main')).toBeUndefined()
  await setRef(repositories, 'refs/heads/main', first)
  expect(await repositories.resolveRef(1, 'main')).toEqual({ ref: 'main', type: 'branch', sha: first })
  await setRef(repositories, 'refs/heads/main', second)
  expect(await repositories.resolveRef(1, 'main')).toEqual({ ref: 'main', type: 'branch', sha: second })
  await runGit(['--git-dir', repositories.path(1), 'tag', '-a', '-m', 'x', 'v1', first], {
    environment: identity,
  })
  expect(await repositories.resolveRef(1, 'v1')).toEqual({ ref: 'v1', type: 'tag', sha: first })
  await setRef(repositories, 'refs/tags/main', first)
  expect(await repositories.resolveRef(1, 'main')).toEqual({ ref: 'main', type: 'branch', sha: second })
  expect(await repositories.resolveRef(1, 'refs/tags/main')).toEqual({ ref: 'main', type: 'tag', sha: first })
  expect(await repositories.resolveRef(1, 'main~0')).toBeUndefined()
  expect(await repositories.listRefs(1, 'tag')).toEqual([
    { ref: 'main', type: 'tag', sha: first },
    { ref: 'v1', type: 'tag', sha: first },
  ])
})

test('the ref of a pipeline keeps its commit', async () => {
  const repositories = await newRepositories()
  const sha = await commit(repositories, 'a', 'a')
  await repositories.createPipelineRef(1, 42, sha)
  const found = await runGit(['--git-dir', repositories.path(1), 'rev-parse', 'refs/pipelines/42'])
  expect(found.trim()).toBe(sha)
  await repositories.createPipelineRef(1, 7, sha)
  await repositories.deletePipelineRefs(1, [42, 99])
  expect(await repositories.listPipelineRefs(1)).toEqual([7])
})

test('a deleted repository is gone, and can be created again', async () => {
  const repositories = await newRepositories()
  await setRef(repositories, 'refs/heads/main', await commit(repositories, 'a', 'a'))
  expect(await repositories.resolveRef(1, 'main')).toBeDefined()
  await repositories.delete(1)
  await repositories.delete(1)
  await expect(access(repositories.path(1))).rejects.toThrow('ENOENT')
  await repositories.create(1)
  expect(await repositories.resolveRef(1, 'main')).toBeUndefined()
})
