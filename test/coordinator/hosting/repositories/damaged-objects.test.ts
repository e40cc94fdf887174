import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { readRepositoryStatistics } from '../../../../src/coordinator/hosting/projects/statistics/repository-statistics.js'
import { GitError } from '../../../../src/git/errors.js'
import { sampled, testAtNight } from '../../../support/nightly.js'
import {
  openRepositoryApi,
  type RepositoryApi,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const DAMAGE: [name: string, apply: (file: string) => Promise<void>][] = [
  ['missing', (file) => rm(file)],
  ['corrupted', (file) => replace(file, 'garbage')],
  ['empty', (file) => replace(file, '')],
]

/** What reads the file `a.txt` of `main`. */
const FILE_READERS = [
  'GET /repository/files/a.txt?ref=main',
  'GET /repository/files/a.txt/raw?ref=main',
  'GET /repository/files/a.txt/blame?ref=main',
  'GET /repository/commits/main/diff',
  'GET /repository/compare?from=other&to=main',
  'GET /repository/archive.tar.gz?sha=main',
  'GET /repository/rendered?ref=main&path=a.txt',
]

/** What reads the commit of `main`. */
const COMMIT_READERS = [
  ...FILE_READERS,
  'GET /repository/tree?ref=main',
  'GET /repository/commits?ref_name=main',
  'GET /repository/branches/main',
]

async function replace(file: string, content: string): Promise<void> {
  await rm(file)
  await writeFile(file, content)
}

/** A project with the branches `main` and `other`. */
async function opened(): Promise<RepositoryApi> {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await seedCommit(api, { 'a.txt': 'first\n', '.gitlab-ci.yml': 'a: {script: a}\n' }, { branch: 'other' })
  await seedCommit(api, { 'a.txt': 'second\n', '.gitlab-ci.yml': 'b: {script: b}\n' })
  return api
}

/** The branches in the order of their names, with the titles of their commits. */
async function titles(api: RepositoryApi, sort: string): Promise<[name: string, title: string][]> {
  const response = await api.call(`GET /repository/branches?sort=${sort}`)
  const listed = response.json<{ name: string; commit: { title: string } }[]>()
  return listed
    .map(({ name, commit }): [string, string] => [name, commit.title])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

async function damage(
  api: RepositoryApi,
  name: string,
  apply: (file: string) => Promise<void>,
): Promise<string> {
  const id = await api.git('rev-parse', name)
  await apply(join(api.repositories.path(api.project.id), 'objects', id.slice(0, 2), id.slice(2)))
  return id
}

test.each(sampled(DAMAGE, 1))('every reader of a file names the object that is %s', async (_, apply) => {
  const api = await opened()
  const id = await damage(api, 'main:a.txt', apply)
  for (const reader of FILE_READERS) {
    const response = await api.call(reader)
    expect([reader, response.statusCode, response.body]).toEqual([
      reader,
      500,
      expect.stringContaining(`The object ${id} of the repository is missing or damaged`),
    ])
  }
  const edited = await api.call('PUT /repository/files/a.txt', {
    branch: 'main',
    commit_message: 'Edit',
    content: 'third',
  })
  expect(edited.statusCode).toBe(500)
})

test.each(sampled(DAMAGE, 1))(
  'a CI file whose object is %s is an error, not a project without one',
  async (_, apply) => {
    const api = await opened()
    await damage(api, 'main:.gitlab-ci.yml', apply)
    const sha = await api.git('rev-parse', 'main')
    await expect(api.repositories.readFile(api.project.id, sha, '.gitlab-ci.yml')).rejects.toThrow(GitError)
    expect(await api.repositories.readFile(api.project.id, sha, 'dir/unknown')).toBeUndefined()
  },
)

test.each(sampled(DAMAGE, 1))(
  'a branch whose commit is %s is an error, and the list says so and shows the others',
  async (_, apply) => {
    const api = await opened()
    await damage(api, 'main', apply)
    for (const reader of COMMIT_READERS)
      expect([reader, (await api.call(reader)).statusCode]).toEqual([reader, 500])
    for (const sort of ['name_asc', 'updated_desc']) {
      expect(await titles(api, sort)).toEqual([
        ['main', 'The commit cannot be read'],
        ['other', 'Seed'],
      ])
    }
  },
)

test('a branch that has the name of a folder of branches is not found', async () => {
  const api = await opened()
  await seedCommit(api, { b: '' }, { branch: 'folder/one' })
  for (const name of ['folder', 'main%2Fone'])
    expect((await api.call(`GET /repository/branches/${name}`)).statusCode).toBe(404)
})

testAtNight('a repository whose folder is gone says so', async () => {
  const api = await opened()
  await rm(api.repositories.path(api.project.id), { recursive: true })
  const response = await api.call('GET /repository/branches')
  expect([response.statusCode, response.body]).toEqual([
    500,
    expect.stringContaining('The folder of the repository is gone'),
  ])
})

test.each(sampled(DAMAGE, 1))(
  'a blob that is %s is an error, one that never was is not found',
  async (_, apply) => {
    const api = await opened()
    const id = await damage(api, 'main:a.txt', apply)
    for (const reader of [`GET /repository/blobs/${id}`, `GET /repository/blobs/${id}/raw`])
      expect((await api.call(reader)).body).toContain(
        `The object ${id} of the repository is missing or damaged`,
      )
    expect((await api.call(`GET /repository/blobs/${'1'.repeat(40)}`)).statusCode).toBe(404)
  },
)

testAtNight.each(sampled(DAMAGE, 1))('a blob of an older commit that is %s is an error', async (_, apply) => {
  const api = await opened()
  const id = await damage(api, 'main:a.txt', apply)
  await seedCommit(api, { 'a.txt': 'third\n' })
  expect((await api.call('GET /repository/files/a.txt?ref=main')).statusCode).toBe(200)
  for (const reader of [`GET /repository/blobs/${id}`, `GET /repository/blobs/${id}/raw`])
    expect((await api.call(reader)).body).toContain(
      `The object ${id} of the repository is missing or damaged`,
    )
})

testAtNight(
  'a missing blob is not found where the search for a commit that needs it takes too long',
  async () => {
    const api = await opened()
    const id = await damage(api, 'main:a.txt', (file) => rm(file))
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limit = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((time) => (time === 5000 ? AbortSignal.abort() : timeout(time)))
    onTestFinished(() => limit.mockRestore())
    expect((await api.call(`GET /repository/blobs/${id}`)).statusCode).toBe(404)
  },
)

testAtNight('the commit of a submodule, which no object of the repository is, is no damage', async () => {
  const api = await opened()
  const commit = '2'.repeat(40)
  const inTree = ['-c', 'core.bare=false', '--work-tree=.']
  await api.git(...inTree, 'read-tree', 'main')
  await api.git(...inTree, 'update-index', '--add', '--cacheinfo', `160000,${commit},module`)
  const tree = await api.git('write-tree')
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const sha = await api.git(...author, 'commit-tree', '-p', 'main', '-m', 'Add a submodule', tree)
  await api.git('update-ref', 'refs/heads/main', sha)
  for (const reader of COMMIT_READERS)
    expect([reader, (await api.call(reader)).statusCode]).toEqual([reader, 200])
  const entries = (await api.call('GET /repository/tree?ref=main')).json<{ id: string; type: string }[]>()
  expect(entries).toContainEqual(expect.objectContaining({ id: commit, type: 'commit' }))
  expect((await api.call(`GET /repository/blobs/${commit}`)).statusCode).toBe(404)
})

testAtNight.each(sampled(DAMAGE, 1))(
  'statistics and the readme name the file that is %s',
  async (_, apply) => {
    const api = await opened()
    await seedCommit(api, { 'README.md': '# Title' })
    const id = await damage(api, 'main:README.md', apply)
    const statistics = readRepositoryStatistics(api.repositories, api.project.id, 'main')
    await expect(statistics).rejects.toThrow(id)
    expect((await api.call('GET /repository/rendered?ref=main')).body).toContain(`The object ${id}`)
  },
)

test.each(sampled(DAMAGE, 1))(
  'a commit whose folder is %s is an error that names the folder',
  async (_, apply) => {
    const api = await opened()
    const id = await damage(api, 'main^{tree}', apply)
    for (const reader of ['GET /repository/tree?ref=main', 'GET /repository/files/a.txt?ref=main'])
      expect((await api.call(reader)).body).toContain(`The object ${id} of the repository`)
  },
)

testAtNight.each(sampled(DAMAGE, 1))(
  'a tag whose object is %s is an error, is listed with the others, and can be deleted',
  async (_, apply) => {
    const api = await opened()
    await api.git('tag', 'v1', 'other')
    await api.git('tag', '-a', '-m', 'message', 'v2', 'other')
    const id = await damage(api, 'v2', apply)
    expect((await api.call('GET /repository/tags?order_by=name&sort=asc')).json()).toMatchObject([
      { name: 'v1', commit: { title: 'Seed' } },
      { name: 'v2', target: id, commit: { id, title: 'The commit cannot be read' } },
    ])
    expect((await api.call('GET /repository/commits?ref_name=main')).statusCode).toBe(200)
    expect((await api.call('GET /repository/tags/v2')).body).toContain(id)
    expect((await api.call('DELETE /repository/tags/v2')).statusCode).toBe(204)
    expect((await api.call('GET /repository/tags/v2')).statusCode).toBe(404)
  },
)

test.each(sampled(DAMAGE, 1))(
  'a branch whose commit is %s can be deleted, also when refs are packed',
  async (_, apply) => {
    for (const isPacked of [false, true]) {
      const api = await opened()
      if (isPacked) await api.git('pack-refs', '--all')
      const id = await damage(api, 'other', apply)
      expect((await api.call('GET /repository/branches/other')).body).toContain(`The object ${id}`)
      expect((await api.call('DELETE /repository/branches/other')).statusCode).toBe(204)
      expect((await api.call('GET /repository/branches/other')).statusCode).toBe(404)
      expect((await api.call('GET /repository/branches')).json()).toMatchObject([{ name: 'main' }])
    }
  },
)

test.each([
  ['zero bytes', Buffer.alloc(41)],
  ['nothing', Buffer.alloc(0)],
  ['the ID of no object', Buffer.from(`${'0'.repeat(40)}\n`)],
])(
  'a branch whose file has %s is an error, is listed with the others, and can be deleted',
  async (_, bytes) => {
    const api = await opened()
    await api.git('pack-refs', '--all')
    const file = join(api.repositories.path(api.project.id), 'refs/heads/other')
    await writeFile(file, bytes)
    for (const reader of ['GET /repository/branches/other', 'GET /repository/commits?ref_name=other'])
      expect((await api.call(reader)).body).toContain(
        'The file of refs/heads/other in the repository is damaged',
      )
    await api.git('branch', 'zebra', 'main')
    for (const sort of ['name_asc', 'updated_desc']) {
      expect(await titles(api, sort)).toEqual([
        ['main', 'Seed'],
        ['other', 'The commit cannot be read'],
        ['zebra', 'Seed'],
      ])
    }
    const summaries = await api.call('GET /repository/branch_summaries?branches[]=other&branches[]=zebra')
    expect(summaries.json()).toMatchObject([{ name: 'zebra' }])
    expect((await api.call('DELETE /repository/branches/other')).statusCode).toBe(204)
    expect((await api.call('GET /repository/branches/other')).statusCode).toBe(404)
  },
)

test.each([
  ['cut', (refs: Buffer) => refs.subarray(0, -10)],
  ['zero bytes', (refs: Buffer) => Buffer.alloc(refs.length)],
  ['garbage', () => Buffer.from('garbage\n')],
])('packed refs that are %s are an error that names their file', async (_, change) => {
  const api = await opened()
  await api.git('pack-refs', '--all')
  const file = join(api.repositories.path(api.project.id), 'packed-refs')
  await writeFile(file, change(await readFile(file)))
  for (const reader of COMMIT_READERS)
    expect((await api.call(reader)).body).toContain('The file packed-refs of the repository')
})
