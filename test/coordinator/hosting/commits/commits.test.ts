import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { IS_NIGHTLY, testAtNight } from '../../../support/nightly.js'
import {
  addEmptyFork,
  addRepositoryMember,
  type RepositoryApi,
  repositoryApiForFile,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const openRepositoryApi = repositoryApiForFile()

const COMMITS = '/repository/commits'

describeOnDatabase('commits', (open) => {
  test('change any number of files at once, in the order of their actions', async () => {
    const api = await openRepositoryApi(open)
    const first = await seedDefaultBranch(api, { 'old.txt': 'o', 'gone.txt': 'g', 'run.sh': '#!' })
    const made = await api.call(`POST ${COMMITS}`, {
      branch: 'main',
      commit_message: 'Many\n\nthings',
      author_name: 'Grace',
      author_email: 'g@example.com',
      actions: [
        { action: 'create', file_path: 'dir/new.txt', content: 'bmV3Cg==', encoding: 'base64' },
        { action: 'update', file_path: 'dir/new.txt', content: 'newer\n' },
        { action: 'move', file_path: 'dir/moved.txt', previous_path: 'old.txt', last_commit_id: first },
        { action: 'delete', file_path: 'gone.txt' },
        { action: 'chmod', file_path: 'run.sh', execute_filemode: true },
      ],
    })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      title: 'Many',
      author_name: 'Grace',
      author_email: 'g@example.com',
      committer_name: 'ada',
      parent_ids: [first],
      project_id: api.project.id,
      status: null,
      last_pipeline: null,
      stats: { additions: 1, deletions: 1, total: 2 },
    })
    const { id } = made.json<{ id: string }>()
    expect(await api.git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toBe(
      '100644 dir/moved.txt\n100644 dir/new.txt\n100755 run.sh',
    )
    expect(await api.git('show', 'main:dir/new.txt')).toBe('newer')
    expect(api.pushed).toMatchObject([{ ref: 'main', sha: id, beforeSha: first }])
    expect((await api.call(`GET ${COMMITS}/main`)).json()).toEqual(made.json())
  })

  testAtNight('have comments, also on a line of the change', async () => {
    const api = await openRepositoryApi(open)
    await seedDefaultBranch(api, { a: 'one\n' })
    const sha = await seedCommit(api, { a: 'one\ntwo\n' })
    const said = [
      { note: 'all' },
      { note: 'here', path: 'a', line: 2, line_type: 'new' },
      { note: 'nowhere', path: 'a', line: 99, line_type: 'new' },
      { note: 'no file', path: 'b', line: 1, line_type: 'new' },
    ]
    for (const body of said)
      expect((await api.call(`POST ${COMMITS}/${sha}/comments`, body)).statusCode).toBe(201)
    await api.call(`POST ${COMMITS}/main/comments`, { note: 'by name', path: 'a', line: 2, line_type: 'new' })
    const listed = await api.call(`GET ${COMMITS}/${sha}/comments`)
    const nowhere = { path: null, line: null, line_type: null, author: { username: 'ada' } }
    expect(listed.json()).toMatchObject([
      { note: 'all', ...nowhere },
      { note: 'here', path: 'a', line: 2, line_type: 'new' },
      { note: 'nowhere', ...nowhere },
      { note: 'no file', ...nowhere },
      { note: 'by name', ...nowhere },
    ])
    expect(listed.headers['x-total']).toBe('5')
  })

  test('show their latest pipeline to users who may see it', async () => {
    const api = await openRepositoryApi(open)
    const sha = await seedDefaultBranch(api)
    const guestless = {
      project_id: api.project.id,
      user_id: api.owner.id,
      ref: 'main',
      tag: false,
      protected: false,
    }
    await api.database
      .insertInto('pipeline')
      .values({
        ...guestless,
        iid: 1,
        sha,
        before_sha: '0'.repeat(40),
        source: 'push',
        status: 'failed',
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    expect((await api.call(`GET ${COMMITS}/${sha}`)).json()).toMatchObject({
      status: 'failed',
      last_pipeline: { sha, ref: 'main', status: 'failed', project_id: api.project.id },
    })
  })
})

testAtNight('actions that cannot be done are 400 and leave everything as it is', async () => {
  const api = await openRepositoryApi()
  const first = await seedDefaultBranch(api, { a: 'a', 'dir/b': 'b' })
  const results = []
  const base = { branch: 'main', commit_message: 'x' }
  for (const body of [
    { actions: [] },
    { actions: [{ action: 'create', file_path: 'a', content: '' }] },
    { actions: [{ action: 'update', file_path: 'none', content: '' }] },
    { actions: [{ action: 'create', file_path: '', content: '' }] },
    { actions: [{ action: 'create', file_path: 'x/../../y', content: '' }] },
    { actions: [{ action: 'create', file_path: 'x' }] },
    { actions: [{ action: 'move', file_path: 'x' }] },
    { actions: [{ action: 'chmod', file_path: 'a' }] },
    { actions: [{ action: 'explode', file_path: 'a' }] },
    { actions: [{ action: 'update', file_path: 'a', content: 'b', last_commit_id: '0'.repeat(40) }] },
    { actions: [{ action: 'create', file_path: 'dir/b/c', content: '' }] },
    {
      actions: [
        { action: 'create', file_path: 'n', content: '' },
        { action: 'create', file_path: 'n/m', content: '' },
      ],
    },
    { actions: [{ action: 'create', file_path: 'x', content: '' }], start_branch: 'main', start_sha: first },
    { actions: [{ action: 'create', file_path: 'x', content: '' }], start_sha: first },
    { actions: [{ action: 'create', file_path: '.Git/x', content: '' }] },
  ]) {
    const { statusCode, body: result } = await api.call(`POST ${COMMITS}`, { ...base, ...body })
    results.push(`${statusCode} ${result}`)
  }
  expect(results).toEqual([
    '400 {"error":"actions is empty"}',
    '400 {"message":"A file with this name already exists"}',
    `400 {"message":"A file with this name doesn't exist"}`,
    '400 {"message":"You must provide a file path"}',
    '400 {"message":"Path cannot include directory traversal"}',
    '400 {"error":"actions[0][content] is missing"}',
    '400 {"error":"actions[0][previous_path] is missing"}',
    '400 {"error":"actions[0][execute_filemode] is missing"}',
    '400 {"error":"actions[0][action] does not have a valid value"}',
    '400 {"message":"The file has changed since you started editing it."}',
    '400 {"message":"A file with this name already exists"}',
    '400 {"message":"A file with this name already exists"}',
    '400 {"error":"start_branch, start_sha are mutually exclusive"}',
    `400 {"message":"A branch called 'main' already exists. Switch to that branch in order to make changes"}`,
    '400 {"message":"Path is not valid"}',
  ])
  expect(await api.git('rev-parse', 'main')).toBe(first)
  const developer = await addRepositoryMember(api, 'dev', 30)
  await api.call('POST /protected_branches', { name: 'main' })
  const refused = await api.call(
    `POST ${COMMITS}`,
    { ...base, actions: [{ action: 'create', file_path: 'x', content: '' }] },
    developer,
  )
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    {
      message: '403 Forbidden - You are not allowed to push into this branch',
      reasons: ['You are not allowed to push code to protected branches on this project.'],
    },
  ])
})

test('a commit of very many files is made, and one of endless folders is refused', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  const create = (path: string) => ({ action: 'create', file_path: path, content: '' })
  const base = { branch: 'main', commit_message: 'x', stats: false }
  const count = IS_NIGHTLY ? 5000 : 500
  const many = Array.from({ length: count }, (_file, index) => create(`d${index % 7}/${index}`))
  expect((await api.call(`POST ${COMMITS}`, { ...base, actions: many })).statusCode).toBe(201)
  expect((await api.git('ls-tree', '-r', '--name-only', 'main')).split('\n')).toHaveLength(count + 1)
  const deep = Array.from({ length: 500 }, (_file, index) => create(`${index}/${'a/'.repeat(2000)}b`))
  const refused = await api.call(`POST ${COMMITS}`, { ...base, actions: deep })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { message: 'The files of this commit are in too many folders' },
  ])
})

test('a branch is overwritten with force, and a protected one is not', async () => {
  const api = await openRepositoryApi()
  const first = await seedDefaultBranch(api, { a: 'a' })
  await seedCommit(api, { b: 'b' }, { branch: 'topic' })
  const body = {
    branch: 'topic',
    commit_message: 'Again',
    start_branch: 'main',
    force: true,
    actions: [{ action: 'create', file_path: 'c', content: 'c' }],
  }
  const made = await api.call(`POST ${COMMITS}`, body)
  expect(made.json()).toMatchObject({ parent_ids: [first] })
  await api.call('POST /protected_branches', { name: 'topic' })
  expect((await api.call(`POST ${COMMITS}`, body)).statusCode).toBe(403)
})

testAtNight('a commit starts from a branch of the project that this one was forked from', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { a: 'a' })
  const fork = await addEmptyFork(api)
  await seedCommit({ repositories: api.repositories, project: fork }, { f: 'f' })
  const upstream = await seedCommit(api, { b: 'b' })
  const made = await api.app.call(api.owner, `POST /projects/${fork.id}${COMMITS}`, {
    branch: 'patch',
    start_branch: 'main',
    start_project: 'ada/app',
    commit_message: 'x',
    actions: [{ action: 'create', file_path: 'c', content: 'c' }],
  })
  expect(made.json()).toMatchObject({ parent_ids: [upstream] })
})

async function history(): Promise<RepositoryApi & { ids: string[] }> {
  const api = await openRepositoryApi()
  const ids = [
    await seedDefaultBranch(api, { 'a.txt': 'a\n' }),
    await seedCommit(api, { 'b.txt': 'b\n' }, { message: 'Add b\n\nSigned-off-by: Ada <a@example.com>' }),
    await seedCommit(api, { 'c.txt': 'c\n' }, { message: 'Add c' }),
  ]
  return { ...api, ids }
}

testAtNight('the list is that of a ref, a range or all, filtered and by page without totals', async () => {
  const { ids, ...api } = await history()
  const side = await seedCommit(api, { d: 'd' }, { branch: 'side' })
  const list = async (query: string): Promise<string[]> => {
    const response = await api.call(`GET ${COMMITS}?${query}`)
    return response.json<{ id: string }[]>().map(({ id }) => id)
  }
  const newest = ids.toReversed()
  expect(await list('')).toEqual(newest)
  expect(await list(`ref_name=${ids[0]}..main`)).toEqual(newest.slice(0, 2))
  expect((await list('ref_name=main...side')).toSorted()).toEqual([...ids, side].toSorted())
  expect((await list('all=true')).toSorted()).toEqual([...ids, side].toSorted())
  expect(await list('path=b.txt')).toEqual([ids[1]])
  expect(await list('path=:(glob)**')).toEqual([])
  expect(await list('author=ada@example')).toEqual(newest)
  expect(await list('author=nobody')).toEqual([])
  expect(await list('search=ADD')).toEqual(newest.slice(0, 2))
  expect(await list('search=add%20signed-OFF')).toEqual([ids[1]])
  expect(await list('search=ada@example%20c')).toContain(ids[2])
  expect(await list('search=ada%20nothing')).toEqual([])
  expect(await list(`search=${ids[1]?.slice(0, 8)}`)).toEqual([ids[1]])
  expect(await list(`search=${ids[1]?.slice(1, 12)}`)).toEqual([])
  expect(await list('search=add&path=b.txt')).toEqual([ids[1]])
  expect(await list('search=add&per_page=1&page=2')).toEqual([ids[1]])
  expect(await list('until=2024-01-01')).toEqual([])
  expect(await list('since=2024-01-01T00:00:00Z&order=topo&first_parent=true')).toEqual(newest)
  const second = await api.call(`GET ${COMMITS}?per_page=1&page=2&with_stats=true&trailers=true`)
  expect(second.headers['x-total']).toBeUndefined()
  expect(second.headers).toMatchObject({ 'x-next-page': '3', 'x-prev-page': '1' })
  expect(second.json()).toMatchObject([
    {
      id: ids[1],
      stats: { additions: 1, deletions: 0, total: 1 },
      trailers: { 'Signed-off-by': 'Ada <a@example.com>' },
      extended_trailers: { 'Signed-off-by': ['Ada <a@example.com>'] },
    },
  ])
  for (const ref of ['nowhere', '--all', 'main..--all', '--output=x..main']) {
    const unknown = await api.call(`GET ${COMMITS}?ref_name=${encodeURIComponent(ref)}`)
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 Commit Not Found' }])
  }
  expect((await api.call(`GET ${COMMITS}?since=yesterday`)).json()).toEqual({ error: 'since is invalid' })
})

test('an empty repository has no commits', async () => {
  const api = await openRepositoryApi()
  expect((await api.call(`GET ${COMMITS}`)).json()).toEqual([])
  expect((await api.call(`GET ${COMMITS}/main`)).json()).toEqual({ message: '404 Commit Not Found' })
})

testAtNight('one commit shows its refs, its changes and its place in the history', async () => {
  const { ids, ...api } = await history()
  await api.git('tag', 'v1', ids[1] ?? '')
  expect((await api.call(`GET ${COMMITS}/${ids[1]}/refs`)).json()).toEqual([
    { type: 'branch', name: 'main' },
    { type: 'tag', name: 'v1' },
  ])
  expect((await api.call(`GET ${COMMITS}/${ids[1]}/refs?type=tag`)).json()).toEqual([
    { type: 'tag', name: 'v1' },
  ])
  expect((await api.call(`GET ${COMMITS}/main/sequence`)).json()).toEqual({ count: 3 })
  const entry = { new_path: 'b.txt', old_path: 'b.txt', a_mode: '0', b_mode: '100644', new_file: true }
  const diff = {
    ...entry,
    renamed_file: false,
    deleted_file: false,
    diff: '@@ -0,0 +1 @@\n+b\n',
    too_large: false,
  }
  expect((await api.call(`GET ${COMMITS}/v1/diff`)).json()).toMatchObject([diff])
  expect((await api.call(`GET ${COMMITS}/v1/diff`)).headers['x-total']).toBeUndefined()
  expect((await api.call(`GET ${COMMITS}/v1/diff?per_page=1`)).headers['x-total']).toBe('1')
  const signature = await api.call(`GET ${COMMITS}/v1/signature`)
  expect([signature.statusCode, signature.json()]).toEqual([404, { message: '404 Signature Not Found' }])
  const { stats, ...plain } = (await api.call(`GET ${COMMITS}/v1?stats=false`)).json<
    Record<string, unknown>
  >()
  expect([stats, plain['id']]).toEqual([undefined, ids[1]])
})

test('change kinds in a diff', async () => {
  const api = await openRepositoryApi()
  const text = 'same text\n'.repeat(20)
  await seedDefaultBranch(api, { old: text, gone: 'g\n', bin: 'a', big: 'b' })
  await seedCommit(api, {
    old: null,
    'new name': text,
    gone: null,
    bin: '\0\0',
    big: 'long line '.repeat(40_000),
  })
  const entries = (await api.call(`GET ${COMMITS}/main/diff`)).json<Record<string, unknown>[]>()
  expect(entries).toMatchObject([
    { new_path: 'big', diff: '', too_large: true },
    { new_path: 'bin', diff: '', too_large: false },
    { new_path: 'gone', deleted_file: true, b_mode: '0', diff: '@@ -1 +0,0 @@\n-g\n' },
    { old_path: 'old', new_path: 'new name', renamed_file: true, diff: '' },
  ])
})

test('a commit is cherry-picked onto another branch and reverted, or tried', async () => {
  const { ids, ...api } = await history()
  await api.call('POST /repository/branches', { branch: 'stable', ref: ids[0] })
  const tried = await api.call(`POST ${COMMITS}/${ids[2]}/cherry_pick`, { branch: 'stable', dry_run: true })
  expect([tried.statusCode, tried.json()]).toEqual([200, { dry_run: 'success' }])
  const picked = await api.call(`POST ${COMMITS}/${ids[2]}/cherry_pick`, { branch: 'stable' })
  expect(picked.statusCode).toBe(201)
  expect(picked.json()).toMatchObject({
    title: 'Add c',
    parent_ids: [ids[0]],
    author_name: 'Ada',
    committer_name: 'ada',
    message: `Add c\n\n(cherry picked from commit ${ids[2]})\n`,
  })
  expect(await api.git('ls-tree', '--name-only', 'stable')).toBe('a.txt\nc.txt')
  const again = await api.call(`POST ${COMMITS}/${ids[2]}/cherry_pick`, { branch: 'stable' })
  expect(again.statusCode).toBe(400)
  expect(again.json()).toMatchObject({ error_code: 'empty' })
  const reverted = await api.call(`POST ${COMMITS}/${ids[1]}/revert`, { branch: 'main' })
  expect(reverted.json()).toMatchObject({ title: 'Revert "Add b"', parent_ids: [ids[2]], author_name: 'ada' })
  expect(await api.git('ls-tree', '--name-only', 'main')).toBe('a.txt\nc.txt')
  const unknown = await api.call(`POST ${COMMITS}/${ids[1]}/revert`, { branch: 'none' })
  expect(unknown.json()).toEqual({ message: '404 Branch Not Found' })
})

testAtNight('a commit that contradicts the branch is not picked', async () => {
  const api = await openRepositoryApi()
  const first = await seedDefaultBranch(api, { a: 'one\n' })
  const change = await seedCommit(api, { a: 'two\n' })
  await api.call('POST /repository/branches', { branch: 'other', ref: first })
  await seedCommit(api, { a: 'three\n' }, { branch: 'other' })
  const picked = await api.call(`POST ${COMMITS}/${change}/cherry_pick`, { branch: 'other' })
  expect(picked.statusCode).toBe(400)
  expect(picked.json()).toMatchObject({
    message: expect.stringContaining('Sorry, we cannot cherry-pick this commit automatically.') as string,
    error_code: 'conflict',
  })
})

testAtNight(
  'a commit of more than the usual 4 MiB is accepted from users, but not from strangers; a larger one is 413',
  async () => {
    const api = await openRepositoryApi()
    await seedDefaultBranch(api)
    const commit = (bytes: number) => ({
      branch: 'main',
      commit_message: 'Large',
      actions: [{ action: 'create', file_path: `of-${bytes}`, content: 'x'.repeat(bytes) }],
    })
    expect((await api.call(`POST ${COMMITS}`, commit(5_000_000))).statusCode).toBe(201)
    const stranger = await api.call(`POST ${COMMITS}`, commit(5_000_001), null)
    expect([stranger.statusCode, stranger.json<{ message: string }>().message]).toEqual([
      413,
      expect.stringContaining('without credentials'),
    ])
    const tooLarge = await api.call(`POST ${COMMITS}`, commit(9_000_000))
    expect([tooLarge.statusCode, tooLarge.json()]).toEqual([413, { message: '413 Request Entity Too Large' }])
    const file = await api.call('POST /repository/files/large', {
      branch: 'main',
      commit_message: 'Large',
      content: 'y'.repeat(5_000_000),
    })
    expect(file.statusCode).toBe(201)
  },
)
