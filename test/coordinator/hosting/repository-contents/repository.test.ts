import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { parseArchiveAddress } from '../../../../src/coordinator/hosting/repository-contents/archive-page.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { limitedToken } from '../../support/limited-token.js'
import {
  addEmptyFork,
  addRepositoryMember,
  repositoryApiForFile,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const openRepositoryApi = repositoryApiForFile()

interface Entry {
  id: string
  path: string
  type: string
}

test('a tree has folders first, then files, by page or as a whole', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { 'z/deep/x': '1', 'a.txt': '2', 'm/y': '3', 'b.txt': '2' })
  const list = async (query: string): Promise<string[]> =>
    (await api.call(`GET /repository/tree?${query}`)).json<Entry[]>().map(({ path }) => path)
  const root = await api.call('GET /repository/tree')
  expect(root.json()).toMatchObject([
    { name: 'm', path: 'm', type: 'tree', mode: '040000' },
    { name: 'z', type: 'tree' },
    { name: 'a.txt', path: 'a.txt', type: 'blob', mode: '100644' },
    { name: 'b.txt', type: 'blob' },
  ])
  expect(root.headers['x-total']).toBe('4')
  const all = ['m', 'z', 'z/deep', 'a.txt', 'b.txt', 'm/y', 'z/deep/x']
  expect(await list('recursive=true')).toEqual(all)
  expect(await list('recursive=true&per_page=3&page=2')).toEqual(['a.txt', 'b.txt', 'm/y'])
  expect(await list('path=z&recursive=True')).toEqual(['z/deep', 'z/deep/x'])
  expect(await list('path=z/deep/&ref=main')).toEqual(['z/deep/x'])
})

testAtNight('keyset pagination of a tree handles the same blob at several paths', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { a: 'same', b: 'same', c: 'same', d: 'other' })
  const found: string[] = []
  let next: string | undefined = '?pagination=keyset&per_page=1'
  while (next !== undefined) {
    const response = await api.call(`GET /repository/tree${next}`)
    expect(response.headers['x-page']).toBeUndefined()
    found.push(...response.json<Entry[]>().map(({ path }) => path))
    next = /(\?[^>]*)>; rel="next"/.exec(String(response.headers['link']))?.[1]
  }
  expect(found).toEqual(['a', 'b', 'c', 'd'])
  const [first] = (await api.call('GET /repository/tree?per_page=1')).json<Entry[]>()
  const byId = await api.call(`GET /repository/tree?pagination=keyset&page_token=${first?.id}`)
  expect(byId.json<Entry[]>().map(({ path }) => path)).toEqual(['b', 'c', 'd'])
  const wrong = await api.call('GET /repository/tree?pagination=keyset&page_token=nothing')
  expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'page_token is invalid' }])
})

testAtNight(
  'missing objects return 404 with a specific message, and hostile names reach no file',
  async () => {
    const api = await openRepositoryApi()
    const empty = await api.call('GET /repository/tree')
    expect([empty.statusCode, empty.json()]).toEqual([404, { message: '404 Tree Not Found' }])
    const sha = await seedDefaultBranch(api, { 'dir/a': 'a' })
    const results = []
    for (const path of [
      '/repository/tree?ref=none',
      '/repository/tree?ref=--help',
      '/repository/tree?path=none',
      '/repository/tree?path=../..',
      '/repository/tree?path=dir/a',
      `/repository/blobs/${'0'.repeat(40)}`,
      `/repository/blobs/${sha}`,
      '/repository/blobs/main:dir%2Fa/raw',
      '/repository/archive?sha=none',
      '/repository/archive?sha=--remote=x',
      '/repository/archive?path=none',
      '/repository/compare?from=main&to=none',
      '/repository/compare?from=--output=x&to=main',
      '/repository/merge_base?refs[]=main',
      '/repository/merge_base?refs[]=main&refs[]=x&refs[]=--all',
      '/repository/contributors?ref=--all',
    ]) {
      const { statusCode, body } = await api.call(`GET ${path}`)
      results.push(`${statusCode} ${body}`)
    }
    expect(results).toEqual([
      '404 {"message":"404 Tree Not Found"}',
      '404 {"message":"404 Tree Not Found"}',
      '404 {"message":"404 invalid revision or path Not Found"}',
      '404 {"message":"404 invalid revision or path Not Found"}',
      '404 {"message":"404 invalid revision or path Not Found"}',
      '404 {"message":"404 Blob Not Found"}',
      '404 {"message":"404 Blob Not Found"}',
      '404 {"message":"404 Blob Not Found"}',
      '404 {"message":"404 File Not Found"}',
      '404 {"message":"404 File Not Found"}',
      '404 {"message":"404 File Not Found"}',
      '404 {"message":"404 Ref Not Found"}',
      '404 {"message":"404 Ref Not Found"}',
      '400 {"message":"Provide at least 2 refs"}',
      '400 {"message":"Could not find refs: x, --all"}',
      '404 {"message":"404 Commit Not Found"}',
    ])
  },
)

test('a blob is shown and sent by its id', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { a: 'text' })
  const sha = await api.git('rev-parse', 'main:a')
  expect((await api.call(`GET /repository/blobs/${sha}`)).json()).toEqual({
    size: 4,
    encoding: 'base64',
    content: Buffer.from('text').toString('base64'),
    sha,
  })
  const raw = await api.call(`GET /repository/blobs/${sha}/raw`)
  expect([raw.body, raw.headers['content-type']]).toEqual(['text', 'text/plain'])
})

testAtNight('an archive comes in the format of its address, with everything in one folder', async () => {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api, { 'dir/a': 'a', b: 'b' })
  const prefix = `app-main-${sha}`
  const formats = { '': 'tar.gz', '.zip': 'zip', '.tar': 'tar', '.tbz2': 'tar.bz2', '.tar.gz': 'tar.gz' }
  const work = await tempDir()
  for (const [suffix, format] of Object.entries(formats)) {
    const response = await api.call(`GET /repository/archive${suffix}?sha=main`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-disposition']).toContain(`attachment; filename="${prefix}.${format}"`)
    if (format === 'zip') {
      expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK')
      continue
    }
    const file = join(work, `archive.${format}`)
    await writeFile(file, response.rawPayload)
    const { stdout } = await execa('tar', ['-tf', file])
    expect(stdout.split('\n').filter((name) => !name.endsWith('/'))).toEqual([
      `${prefix}/b`,
      `${prefix}/dir/a`,
    ])
  }
  const part = await api.call('GET /repository/archive?path=dir')
  expect(part.headers['content-disposition']).toContain(`"${prefix}-dir.tar.gz"`)
  const head = await api.call('HEAD /repository/archive.zip')
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'application/zip'])
  expect(head.headers['content-length']).toBeUndefined()
})

testAtNight('archives of one project are limited for one caller, and not for others', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  const other = await addRepositoryMember(api, 'bob', 20)
  const ask = async (as = api.owner) => api.call('GET /repository/archive.tar', undefined, as)
  for (let count = 0; count < 20; count++) expect((await ask()).statusCode).toBe(200)
  const refused = await ask()
  expect(refused.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^\d+$/) as string,
    'ratelimit-limit': '20',
    'ratelimit-remaining': '0',
    'ratelimit-observed': '21',
    'ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
    'ratelimit-resettime': expect.stringMatching(/GMT$/) as string,
  })
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    { message: { error: 'This archive has been requested too many times. Try again later.' } },
  ])
  expect((await api.call('HEAD /repository/archive.tar')).statusCode).toBe(200)
  expect((await ask(other)).statusCode).toBe(200)
})

test('the address of the sources of a release is read with slashes in the ref', () => {
  expect(parseArchiveAddress('/g/s/app/-/archive/v1.0/app-v1.0.tar.gz')).toEqual({
    project: 'g/s/app',
    ref: 'v1.0',
    name: 'app-v1.0',
    format: 'tar.gz',
  })
  for (const ref of ['feature/x', 'feature%2Fx']) {
    expect(parseArchiveAddress(`/g/app/-/archive/${ref}/app-feature-x.zip?x=1`)).toMatchObject({
      project: 'g/app',
      ref: 'feature/x',
      name: 'app-feature-x',
      format: 'zip',
    })
  }
  expect(parseArchiveAddress('/g/app/-/archive/v1/app-v1.exe')).toBeUndefined()
  expect(parseArchiveAddress('/g/app/-/archive/%00/app-v1.zip')).toBeUndefined()
})

testAtNight('two refs are compared from their merge base, or directly', async () => {
  const api = await openRepositoryApi()
  const base = await seedDefaultBranch(api, { a: 'a\n' })
  await api.call('POST /repository/branches', { branch: 'topic', ref: base })
  await seedCommit(api, { main: 'm\n' })
  const one = await seedCommit(api, { t1: '1\n' }, { branch: 'topic' })
  const two = await seedCommit(api, { t2: '2\n' }, { branch: 'topic' })
  const shared = await api.call('GET /repository/compare?from=main&to=topic')
  expect(shared.json()).toMatchObject({
    commit: { id: two },
    commits: [{ id: one }, { id: two }],
    compare_timeout: false,
    compare_same_ref: false,
    diffs: [
      { new_path: 't1', diff: '@@ -0,0 +1 @@\n+1\n' },
      { new_path: 't2', new_file: true },
    ],
  })
  const straight = await api.call('GET /repository/compare?from=main&to=topic&straight=true&unidiff=true')
  expect(straight.json()).toMatchObject({
    diffs: [
      { old_path: 'main', deleted_file: true },
      { diff: '--- /dev/null\n+++ b/t1\n@@ -0,0 +1 @@\n+1\n' },
      {},
    ],
  })
  const same = await api.call('GET /repository/compare?from=main&to=main')
  expect(same.json()).toMatchObject({ commit: null, commits: [], diffs: [], compare_same_ref: true })
  expect((await api.call('GET /repository/merge_base?refs[]=main&refs[]=topic')).json()).toMatchObject({
    id: base,
  })
})

test('a fork is compared with its source only, not with an unrelated project', async () => {
  const api = await openRepositoryApi()
  const base = await seedDefaultBranch(api, { a: 'a\n' })
  const fork = await addEmptyFork(api)
  await api.git('push', '--quiet', api.repositories.path(fork.id), `${base}:refs/heads/main`)
  const inFork = await seedCommit({ ...api, project: fork }, { mine: 'm\n' })
  await seedCommit(api, { theirs: 't\n' })
  const compared = await api.app.call(
    api.owner,
    `GET /projects/${fork.id}/repository/compare?from=main&to=main&from_project_id=${api.project.id}`,
  )
  expect(compared.json()).toMatchObject({
    commits: [{ id: inFork }],
    diffs: [{ new_path: 'mine', new_file: true }],
  })
  const straight = await api.call(
    `GET /repository/compare?from=main&to=main&straight=true&from_project_id=${fork.id}`,
  )
  expect(straight.json()).toMatchObject({
    diffs: [{ new_path: 'mine', deleted_file: true }, { new_path: 'theirs' }],
  })
  expect((await api.call('GET /repository/compare?from=main&to=main&from_project_id=999')).statusCode).toBe(
    404,
  )
  const token = await limitedToken(api.database, api.owner, [api.project.id])
  const limited = await api.app.app.inject({
    url: `/api/v4/projects/${api.project.id}/repository/compare?from=main&to=main&from_project_id=${fork.id}`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect([limited.statusCode, limited.json()]).toEqual([404, { message: '404 Project Not Found' }])
  await api.database.updateTable('project').set({ forked_from_id: null }).where('id', '=', fork.id).execute()
  const unrelated = await api.call(`GET /repository/compare?from=main&to=main&from_project_id=${fork.id}`)
  expect([unrelated.statusCode, unrelated.json()]).toEqual([
    400,
    { message: '400 Bad request - from_project_id is neither a fork nor the source of this project' },
  ])
})

test('contributors are counted by address', async () => {
  const api = await openRepositoryApi()
  expect((await api.call('GET /repository/contributors')).json()).toEqual([])
  await seedDefaultBranch(api)
  await seedCommit(api, { b: 'b' })
  await api.call('POST /repository/files/c', {
    branch: 'main',
    commit_message: 'c',
    content: 'c',
    author_name: 'Grace',
    author_email: 'g@example.com',
  })
  const none = { additions: 0, deletions: 0 }
  expect((await api.call('GET /repository/contributors')).json()).toEqual([
    { name: 'Grace', email: 'g@example.com', commits: 1, ...none },
    { name: 'Ada', email: 'ada@example.com', commits: 2, ...none },
  ])
  const sorted = await api.call('GET /repository/contributors?order_by=name&sort=asc')
  expect(sorted.json<{ name: string }[]>().map(({ name }) => name)).toEqual(['Ada', 'Grace'])
})

test('the repository itself is sent to administrators alone', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  expect((await api.call('GET /snapshot')).statusCode).toBe(403)
  const root = await addRepositoryMember(api, 'root', 50)
  await api.database.updateTable('user').set({ is_admin: true }).where('id', '=', root.id).execute()
  expect((await api.call('GET /storage')).statusCode).toBe(403)
  const { disk_path, ...storage } = (await api.call('GET /storage', undefined, root)).json<{
    disk_path: string
  }>()
  expect(join(api.repositories.root, `${disk_path}.git`)).toBe(api.repositories.path(api.project.id))
  expect(storage).toMatchObject({ project_id: api.project.id, repository_storage: 'default' })
  const snapshot = await api.call('GET /snapshot', undefined, root)
  expect([snapshot.statusCode, snapshot.headers['content-type']]).toEqual([200, 'application/x-tar'])
  const head = await api.call('HEAD /snapshot', undefined, root)
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'application/x-tar'])
  const file = join(await tempDir(), 'snapshot.tar')
  await writeFile(file, snapshot.rawPayload)
  expect((await execa('tar', ['-tf', file])).stdout).toContain('app.git/HEAD')
  const none = await api.call('GET /snapshot?wiki=true', undefined, root)
  expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Repository Not Found' }])
  await api.services.wikiRepositories.createOnce(api.project.id)
  const wiki = await api.call('GET /snapshot?wiki=true', undefined, root)
  await writeFile(file, wiki.rawPayload)
  expect((await execa('tar', ['-tf', file])).stdout).toContain('app.wiki.git/HEAD')
})
