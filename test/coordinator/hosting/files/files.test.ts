import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { storeObject } from '../../../../src/coordinator/hosting/lfs/objects.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  addRepositoryMember,
  type RepositoryApi,
  repositoryApiForFile,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'
import { oidOf } from '../lfs/lfs-client.js'

const openRepositoryApi = repositoryApiForFile()

const FILES = '/repository/files'
const common = { branch: 'main', commit_message: 'Change' }

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

describeOnDatabase('files', (open) => {
  test('are made, read, changed and deleted, each time with a commit and a pipeline', async () => {
    const api = await openRepositoryApi(open)
    const made = await api.call(`POST ${FILES}/dir%2Fa.txt`, { ...common, content: 'one\n' })
    expect([made.statusCode, made.json()]).toEqual([201, { file_path: 'dir/a.txt', branch: 'main' }])
    // The first commit made the branch, and the branch the default one.
    const read = await api.call(`GET ${FILES}/dir%2Fa.txt?ref=HEAD`)
    const { commit_id: first } = read.json<{ commit_id: string }>()
    expect(read.json()).toEqual({
      file_name: 'a.txt',
      file_path: 'dir/a.txt',
      size: 4,
      encoding: 'base64',
      content: base64('one\n'),
      content_sha256: createHash('sha256').update('one\n').digest('hex'),
      ref: 'HEAD',
      blob_id: await api.git('rev-parse', 'main:dir/a.txt'),
      execute_filemode: false,
      commit_id: first,
      last_commit_id: first,
    })
    const changed = await api.call(`PUT ${FILES}/dir%2Fa.txt`, {
      ...common,
      content: base64('two\n'),
      encoding: 'base64',
      last_commit_id: first,
      author_name: 'Grace',
      author_email: 'grace@example.com',
    })
    expect([changed.statusCode, changed.json()]).toEqual([200, { file_path: 'dir/a.txt', branch: 'main' }])
    expect(await api.git('log', '-1', '--format=%an <%ae> %cn %s', 'main')).toBe(
      'Grace <grace@example.com> ada Change',
    )
    const raw = await api.call(`GET ${FILES}/dir%2Fa.txt/raw`)
    expect([raw.body, raw.headers['content-type'], raw.headers['content-length']]).toEqual([
      'two\n',
      'text/plain',
      '4',
    ])
    const gone = await api.call(`DELETE ${FILES}/dir%2Fa.txt?branch=main&commit_message=Away`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    expect((await api.call(`GET ${FILES}/dir%2Fa.txt?ref=main`)).json()).toEqual({
      message: '404 File Not Found',
    })
    expect(api.pushed.map(({ ref }) => ref)).toEqual(['main', 'main', 'main'])
    expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
    const rule = await api.database.selectFrom('protected_ref').selectAll().executeTakeFirstOrThrow()
    expect(rule).toMatchObject({ name: 'main', push_access_level: 40 })
  })
})

testAtNight('a commit that cannot be made is 400 and says why', async () => {
  const api = await openRepositoryApi()
  const first = await seedDefaultBranch(api, { 'a.txt': 'a', 'dir/b.txt': 'b' })
  await seedCommit(api, { 'a.txt': 'aa' })
  const developer = await addRepositoryMember(api, 'dev', 30)
  await api.call('POST /protected_branches', { name: 'main' })
  const responses = []
  const attempts: [route: string, body: object][] = [
    [`POST ${FILES}/a.txt`, { content: 'x' }],
    [`PUT ${FILES}/none.txt`, { content: 'x' }],
    [`PUT ${FILES}/a.txt`, { content: 'aa' }],
    [`PUT ${FILES}/a.txt`, { content: 'x', last_commit_id: first }],
    [`POST ${FILES}/x`, { content: '!', encoding: 'base64' }],
    [`POST ${FILES}/x`, { content: 'x', branch: 'new' }],
    [`POST ${FILES}/x`, { content: 'x', branch: 'main', start_branch: 'main2' }],
    [`POST ${FILES}/dir`, { content: 'x' }],
    [`POST ${FILES}/a.txt%2Fbelow`, { content: 'x' }],
    [`DELETE ${FILES}/dir`, {}],
    [`POST ${FILES}/..%2Fx`, { content: 'x' }],
    [`POST ${FILES}/a%2F..%2F..%2Fx`, { content: 'x' }],
    [`POST ${FILES}/.git%2Fconfig`, { content: 'x' }],
    [`POST ${FILES}/sub%2F.GIT%2Fhooks%2Fpost-checkout`, { content: 'x' }],
    [`POST ${FILES}/%2Fetc%2Fpasswd`, { content: 'x' }],
  ]
  for (const [route, body] of attempts) {
    const { statusCode, body: response } = await api.call(route, { ...common, ...body })
    responses.push(`${statusCode} ${response}`)
  }
  const refused = await api.call(`POST ${FILES}/x`, { ...common, content: 'x' }, developer)
  responses.push(`${refused.statusCode} ${refused.body}`)
  const invalid = '400 {"error":"file_path should be a valid file path"}'
  expect(responses).toEqual([
    '400 {"message":"A file with this name already exists"}',
    `400 {"message":"A file with this name doesn't exist"}`,
    '400 {"message":"The commit does not change the file"}',
    '400 {"message":"You are attempting to update a file that has changed since you started editing it."}',
    '400 {"error":"content is invalid"}',
    '400 {"message":"You can only create or edit files when you are on a branch"}',
    '400 {"message":"You can only create or edit files when you are on a branch"}',
    '400 {"message":"A directory with this name already exists"}',
    '400 {"message":"A file with this name already exists"}',
    `400 {"message":"A file with this name doesn't exist"}`,
    invalid,
    invalid,
    '400 {"message":"Path is not valid"}',
    '400 {"message":"Path is not valid"}',
    invalid,
    '400 {"message":"You are not allowed to push into this branch"}',
  ])
  expect((await api.call(`POST ${FILES}/x`, {})).json()).toEqual({
    error: 'branch is missing, commit_message is missing, content is missing',
  })
  expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test('of two concurrent changes to a branch from the same state, one gets a conflict error', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { 'a.txt': 'a' })
  const responses = await Promise.all(
    ['1', '2', '3', '4'].map((name) => api.call(`POST ${FILES}/${name}`, { ...common, content: name })),
  )
  const statuses = responses.map(({ statusCode }) => statusCode)
  const made = statuses.filter((status) => status === 201)
  expect(made.length).toBeGreaterThan(0)
  expect(statuses.every((status) => status === 201 || status === 400)).toBe(true)
  expect(await api.git('rev-list', '--count', 'main')).toBe(String(1 + made.length))
  expect(api.pushed).toHaveLength(made.length)
})

test('a new branch starts from another one, and leaves it alone', async () => {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api, { 'a.txt': 'a' })
  const made = await api.call(`PUT ${FILES}/a.txt`, {
    branch: 'patch',
    start_branch: 'main',
    commit_message: 'Patch',
    content: 'b',
    execute_filemode: true,
  })
  expect(made.statusCode).toBe(200)
  expect(await api.git('rev-parse', 'main', 'patch^')).toBe(`${sha}\n${sha}`)
  expect(await api.git('ls-tree', 'patch', 'a.txt')).toMatch(/^100755/)
})

async function hostileRepository(): Promise<RepositoryApi> {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, {
    'README.md': 'text',
    'ünï cödé.txt': 'u',
    'bild.png': '\0png',
    'x.svg': '<svg/>',
  })
  return api
}

testAtNight('metadata comes in headers under both names, also where a name is no ASCII', async () => {
  const api = await hostileRepository()
  const head = await api.call(`HEAD ${FILES}/README.md?ref=main`)
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect(head.headers).toMatchObject({
    'x-gitlab-file-name': 'README.md',
    'x-service-file-name': 'README.md',
    'x-gitlab-size': '4',
    'x-gitlab-ref': 'main',
    'x-service-encoding': 'base64',
    'x-gitlab-execute-filemode': 'false',
    'x-gitlab-blob-id': await api.git('rev-parse', 'main:README.md'),
    'x-service-last-commit-id': await api.git('rev-parse', 'main'),
    'content-type': 'application/json',
  })
  const blame = await api.call(`HEAD ${FILES}/README.md/blame?ref=main`)
  expect([blame.statusCode, blame.body, blame.headers['content-type']]).toEqual([200, '', 'application/json'])
  const missing = await api.call(`HEAD ${FILES}/none?ref=main`)
  expect([missing.statusCode, missing.body]).toEqual([404, ''])
  const raw = await api.call(`HEAD ${FILES}/README.md/raw?ref=main`)
  expect([raw.statusCode, raw.body]).toEqual([200, ''])
  expect(raw.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '4',
    'x-gitlab-size': '4',
    'content-disposition': expect.stringContaining('inline; filename="README.md"') as string,
  })
  const odd = await api.call(`GET ${FILES}/${encodeURIComponent('ünï cödé.txt')}/raw?ref=main`)
  expect(odd.headers['content-disposition']).toBe(
    `inline; filename="_n_ c_d_.txt"; filename*=UTF-8''%C3%BCn%C3%AF%20c%C3%B6d%C3%A9.txt`,
  )
  expect(odd.headers['x-gitlab-file-path']).toBe('%C3%BCn%C3%AF c%C3%B6d%C3%A9.txt')
  const types = []
  for (const name of ['bild.png', 'x.svg'])
    types.push((await api.call(`GET ${FILES}/${name}/raw`)).headers['content-type'])
  expect(types).toEqual(['image/png', 'text/plain'])
})

testAtNight('file names with a special meaning for git are plain names', async () => {
  const api = await hostileRepository()
  const secret = await seedCommit(api, { 'secret.txt': 's' }, { branch: 'other' })
  const refs = [
    '--output=/tmp/x',
    'main^{tree}',
    'main:README.md',
    '@{0}',
    ':/Seed',
    'refs/pipelines/1',
    'main@{1}',
    '^main',
  ]
  for (const ref of refs) {
    const response = await api.call(`GET ${FILES}/README.md?ref=${encodeURIComponent(ref)}`)
    expect([ref, response.statusCode, response.body]).toEqual([
      ref,
      404,
      '{"message":"404 Commit Not Found"}',
    ])
  }
  for (const path of ['*.md', ':(glob)**', ':/README.md', 'README.md/', '-r']) {
    const response = await api.call(`GET ${FILES}/${encodeURIComponent(path)}?ref=main`)
    expect([path, response.statusCode >= 400 && response.statusCode < 500]).toEqual([path, true])
  }
  const nul = await api.call(`GET ${FILES}/a%00b?ref=main`)
  expect(nul.statusCode).toBe(400)
  const long = await api.call(`GET ${FILES}/${'a'.repeat(4000)}?ref=main`)
  expect(long.statusCode).toBe(404)
  // A branch by the id of a commit cannot be made over the API; where one is, the commit is meant.
  await api.git('update-ref', `refs/heads/${secret}`, 'main')
  expect((await api.call(`GET ${FILES}/secret.txt?ref=${secret}`)).statusCode).toBe(200)
  expect((await api.call(`GET ${FILES}/README.md?ref=refs%2Fheads%2Fmain`)).statusCode).toBe(200)
})

test('links and submodules are not followed', async () => {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api, { a: 'a' })
  const link = await api.git('hash-object', '-w', '--stdin')
  const tree = `120000 blob ${link}\tlink\n160000 commit ${sha}\tmodule\n`
  const { execa } = await import('execa')
  const gitDir = api.repositories.path(api.project.id)
  const { stdout } = await execa('git', ['--git-dir', gitDir, 'mktree'], { input: tree })
  const made = await api.git('commit-tree', stdout, '-m', 'links')
  await api.git('update-ref', 'refs/heads/links', made)
  expect((await api.call(`GET ${FILES}/link?ref=links`)).json()).toMatchObject({ blob_id: link, size: 0 })
  expect((await api.call(`GET ${FILES}/module?ref=links`)).statusCode).toBe(404)
  const changed = await api.call(`PUT ${FILES}/module`, {
    branch: 'links',
    commit_message: 'x',
    content: 'x',
  })
  expect(changed.json()).toEqual({ message: "A file with this name doesn't exist" })
})

testAtNight('a large file is sent in pieces, as a record and as it is', async () => {
  const api = await openRepositoryApi()
  const content = 'line of text\n'.repeat(200_000)
  await seedDefaultBranch(api, { large: content })
  const record = (await api.call(`GET ${FILES}/large?ref=main`)).json<{ content: string; size: number }>()
  expect(record.size).toBe(content.length)
  expect(Buffer.from(record.content, 'base64').toString()).toBe(content)
  expect((await api.call(`GET ${FILES}/large/raw?ref=main`)).body).toBe(content)
})

test('blame returns the commit of each range of lines', async () => {
  const api = await openRepositoryApi()
  const first = await seedDefaultBranch(api, { a: 'one\ntwo\n' })
  const second = await seedCommit(api, { a: 'one\ntwo\nthree\n' }, { message: 'More' })
  const all = await api.call(`GET ${FILES}/a/blame?ref=main`)
  expect(all.json()).toMatchObject([
    { commit: { id: first, author_name: 'Ada', message: 'Seed\n', parent_ids: [] }, lines: ['one', 'two'] },
    { commit: { id: second, parent_ids: [first] }, lines: ['three'] },
  ])
  expect(all.headers['x-gitlab-commit-id']).toBe(second)
  const part = await api.call(`GET ${FILES}/a/blame?ref=main&range[start]=2&range[end]=3`)
  expect(part.json<{ lines: string[] }[]>().map(({ lines }) => lines)).toEqual([['two'], ['three']])
  const wrong = await api.call(`GET ${FILES}/a/blame?ref=main&range[start]=3&range[end]=2`)
  expect([wrong.statusCode, wrong.json()]).toEqual([
    400,
    { error: 'range[start] must be less than or equal to range[end]' },
  ])
  expect((await api.call(`GET ${FILES}/a/blame?ref=main&range[start]=9&range[end]=9`)).json()).toEqual([])
})

test('a blame of many ranges, each of which contains its commit, is sent in pieces', async () => {
  const api = await openRepositoryApi()
  const lines = (other: string) => Array.from({ length: 2000 }, (_, index) => (index % 2 ? other : 'a'))
  const message = 'm'.repeat(10_000)
  const first = await seedDefaultBranch(api, { a: lines('b').join('\n') })
  const second = await seedCommit(api, { a: lines('c').join('\n') }, { message })
  const all = await api.call(`GET ${FILES}/a/blame?ref=main`)
  const ranges = all.json<{ commit: { id: string; message: string }; lines: string[] }[]>()
  expect(ranges.map(({ commit, lines }) => [commit.id, ...lines])).toEqual(
    lines('c').map((line) => [line === 'a' ? first : second, line]),
  )
  expect(ranges[1]?.commit.message).toBe(`${message}\n`)
  // A response that is built as a whole has a length.
  expect(all.headers).toMatchObject({ 'content-type': 'application/json', 'x-gitlab-commit-id': second })
  expect(all.headers['content-length']).toBeUndefined()
})

test('public files can be read by anyone, private files need a token with the scope', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  const path = `GET ${FILES}/README.md?ref=main`
  expect((await api.call(path, undefined, null)).statusCode).toBe(404)
  const reader = await addRepositoryMember(api, 'reader', 20, ['read_repository'])
  expect((await api.call(path, undefined, reader)).statusCode).toBe(200)
  expect((await api.call('GET /repository/branches', undefined, reader)).statusCode).toBe(403)
  const guest = await addRepositoryMember(api, 'guest', 10)
  expect((await api.call(path, undefined, guest)).statusCode).toBe(403)
  await api.database
    .updateTable('project')
    .set({ visibility: 'public' })
    .where('id', '=', api.project.id)
    .execute()
  expect((await api.call(path, undefined, null)).statusCode).toBe(200)
  expect((await api.call('GET /repository/tree', undefined, null)).statusCode).toBe(200)
  const write = await api.call(`POST ${FILES}/x`, { ...common, content: 'x' }, null)
  expect(write.statusCode).toBe(401)
})

testAtNight('a raw file with lfs=true is the Git LFS object to which it points', async () => {
  const api = await openRepositoryApi()
  const content = '<script>a large file</script>'
  const [known, unknown] = [oidOf(content), oidOf('unknown')]
  const pointer = (oid: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 29\n`
  await seedDefaultBranch(api, { a: pointer(known), b: pointer(unknown), c: known })
  const body = Readable.from([Buffer.from(content)])
  await storeObject(api, api.project.id, { oid: known, size: 29 }, body)
  const read = async (query: string, method = 'GET') => {
    const { body: text, headers } = await api.call(`${method} ${FILES}/${query}`)
    return [text, headers['content-length'], headers['content-type']]
  }
  expect(await read('a/raw?lfs=true')).toEqual([content, '29', 'application/octet-stream'])
  expect(await read('a/raw?lfs=true', 'HEAD')).toEqual(['', '29', 'application/octet-stream'])
  for (const query of ['a/raw', 'a/raw?lfs=false']) expect((await read(query))[0]).toBe(pointer(known))
  expect((await read('b/raw?lfs=true'))[0]).toBe(pointer(unknown))
  expect((await read('c/raw?lfs=true'))[0]).toBe(known)
})
