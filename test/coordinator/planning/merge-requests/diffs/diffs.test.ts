import { expect, test } from 'vitest'

import { testAtNight } from '../../../../support/nightly.js'
import { mergeSceneForFile, withLine } from '../git-scene.js'

const openMergeScene = mergeSceneForFile()

interface Version {
  id: number
  head_commit_sha: string
}

interface Diff {
  new_path: string
  old_path: string
  diff: string
}

const paths = (diffs: Diff[]) => diffs.map(({ new_path }) => new_path)

test('a merge request has a version for each push, with its commits and changed files', async () => {
  const { ok, call, commit, make, refresh, P, main } = await openMergeScene()
  const first = await commit({ 'b.txt': 'b\n' }, { branch: 'topic', from: 'main' })
  const { id } = await make('topic')
  await refresh()
  const second = await commit({ 'a.txt': withLine(2, 'two') }, { branch: 'topic' })
  await refresh()
  const M = `${P}/merge_requests/1`
  const versions = await ok<Version[]>(`GET ${M}/versions`)
  expect(versions).toMatchObject([
    { head_commit_sha: second, base_commit_sha: main, start_commit_sha: main, real_size: '2' },
    { head_commit_sha: first, merge_request_id: id, state: 'collected', real_size: '1' },
  ])
  expect(await ok(`GET ${M}/versions/${versions[1]?.id}`)).toMatchObject({
    head_commit_sha: first,
    commits: [{ id: first }],
    diffs: [{ new_path: 'b.txt', new_file: true, diff: '@@ -0,0 +1 @@\n+b\n' }],
  })
  expect(await ok(`GET ${M}/versions/${versions[0]?.id}?unidiff=true`)).toMatchObject({
    commits: [{ id: second }, { id: first }],
    diffs: [{ diff: expect.stringContaining('--- a/a.txt\n+++ b/a.txt\n@@') as string }, {}],
  })
  expect((await call(`GET ${M}/versions/0`))[0]).toBe(404)
  expect(await ok(`GET ${M}/commits?per_page=1`)).toMatchObject([{ id: second }])
  expect(await ok(`GET ${M}/commits?per_page=1&page=2`)).toMatchObject([{ id: first }])
})

testAtNight(
  'the first version is there with the response that it was created, from a fork as well',
  async () => {
    const { ok, commit, make, refresh, person, project, services, git, P, main } = await openMergeScene()
    const head = await commit({ 'b.txt': 'b\n' }, { branch: 'topic', from: 'main' })
    const refs = { base_sha: main, head_sha: head, start_sha: main }
    expect(await make('topic')).toMatchObject({ sha: head, changes_count: '1', diff_refs: refs })
    const M = `${P}/merge_requests/1`
    const versions = await ok<Version[]>(`GET ${M}/versions`)
    expect(versions).toMatchObject([{ head_commit_sha: head, base_commit_sha: main, real_size: '1' }])
    expect(await ok(`GET ${M}/commits`)).toMatchObject([{ id: head }])
    expect(paths(await ok<Diff[]>(`GET ${M}/diffs`))).toEqual(['b.txt'])
    await refresh()
    expect(await ok(`GET ${M}/versions`)).toEqual(versions)

    const ben = await person('ben')
    const fork = await ok<{ id: number }>('POST /projects', { name: 'fork', visibility: 'public' }, ben)
    await services.database
      .updateTable('project')
      .set({ forked_from_id: project })
      .where('id', '=', fork.id)
      .execute()
    await git('push', '--quiet', services.repositories.path(fork.id), 'main')
    const foreign = await commit({ 'c.txt': 'c\n' }, { branch: 'x', from: 'main', at: fork.id, as: ben })
    const made = await make('x', { target_project_id: project }, { at: fork.id, as: ben })
    expect(made).toMatchObject({ sha: foreign, changes_count: '1' })
    expect(paths(await ok<Diff[]>(`GET ${P}/merge_requests/2/diffs`))).toEqual(['c.txt'])
  },
)

test('its changed files are read at once, in pages and as a patch', async () => {
  const { ok, app, ada, commit, make, P, git } = await openMergeScene()
  const files = Object.fromEntries(['b', 'c', 'd'].map((name) => [`${name}.txt`, `${name}\n`]))
  await commit({ ...files, 'a.txt': withLine(1, 'one') }, { branch: 'topic', from: 'main' })
  await make('topic')
  const M = `${P}/merge_requests/1`
  const changes = await ok<{ changes: Diff[] }>(`GET ${M}/changes`)
  expect(changes).toMatchObject({ iid: 1, title: 'New', overflow: false })
  expect(paths(changes.changes)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
  expect(paths(await ok<Diff[]>(`GET ${M}/diffs`))).toEqual(paths(changes.changes))
  const page = await app.call(ada, `GET ${M}/diffs?per_page=3&page=2`)
  expect(page.json()).toEqual(changes.changes.slice(3))
  expect(page.headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '2' })
  const patch = await app.call(ada, `GET ${M}/raw_diffs`)
  expect(patch.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(patch.body).toBe(`${await git('diff', '--full-index', 'main', 'topic')}\n`)
})

testAtNight(
  'a page shows renamed files with both paths, and nothing of a folder of the same name',
  async () => {
    const { ok, commit, make, refresh, P } = await openMergeScene()
    const text = Array.from({ length: 20 }, (_, line) => `text ${line}\n`).join('')
    await commit({ 'old.txt': text, name: 'file\n' }, { branch: 'main' })
    await commit(
      { 'old.txt': null, 'z/new.txt': `${text}more\n`, name: null, 'name/x': '1\n' },
      { branch: 'topic', from: 'main' },
    )
    await make('topic')
    await refresh()
    const at = (page: number) => ok<Diff[]>(`GET ${P}/merge_requests/1/diffs?per_page=1&page=${page}`)
    expect(await at(1)).toMatchObject([{ new_path: 'name', deleted_file: true }])
    expect(await at(2)).toMatchObject([{ new_path: 'name/x', new_file: true }])
    expect(await at(3)).toMatchObject([{ old_path: 'old.txt', new_path: 'z/new.txt', renamed_file: true }])
    expect(await at(4)).toEqual([])
  },
)

testAtNight(
  'the diff stays when the branch is merged and deleted, and after forced pushes and housekeeping',
  async () => {
    const { ok, commit, make, refresh, push, work, P, git, main } = await openMergeScene()
    const lost = await commit({ 'lost.txt': '1\n' }, { branch: 'topic', from: 'main' })
    await make('topic', { remove_source_branch: true })
    await refresh()
    await push({ topic: main })
    const kept = await commit({ 'kept.txt': '1\n' }, { branch: 'topic' })
    await refresh()
    await ok(`PUT ${P}/merge_requests/1/merge`)
    await work()
    await git('reflog', 'expire', '--expire=now', '--all')
    await git('gc', '--prune=now', '--quiet')
    const versions = await ok<Version[]>(`GET ${P}/merge_requests/1/versions`)
    const heads = versions.map(({ head_commit_sha }) => head_commit_sha)
    expect([heads[0], heads.at(-1)]).toEqual([kept, lost])
    expect(await ok(`GET ${P}/merge_requests/1/versions/${versions.at(-1)?.id}`)).toMatchObject({
      diffs: [{ new_path: 'lost.txt' }],
    })
    expect(paths(await ok<Diff[]>(`GET ${P}/merge_requests/1/diffs`))).toEqual(['kept.txt'])
  },
)

testAtNight('says by how many commits the target branch has moved on', async () => {
  const { ok, commit, make, refresh, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await commit({ 'c.txt': 'c' }, { branch: 'main' })
  await commit({ 'd.txt': 'd' }, { branch: 'main' })
  await refresh()
  const M = `GET ${P}/merge_requests/1`
  expect(await ok(`${M}?include_diverged_commits_count=true`)).toMatchObject({ diverged_commits_count: 2 })
  expect(await ok(M)).not.toHaveProperty('diverged_commits_count')
})

testAtNight('is found by its commits, and by those of its merge', async () => {
  const { ok, commit, make, refresh, P, main } = await openMergeScene()
  const one = await commit({ 'b.txt': 'b' }, { branch: 'one', from: 'main' })
  await make('one', { title: 'one' })
  await refresh()
  const merged = await ok(`PUT ${P}/merge_requests/1/merge`)
  const two = await commit({ 'c.txt': 'c' }, { branch: 'two', from: 'main' })
  await make('two', { title: 'two' })
  await refresh()
  const titles = async (sha: unknown, query = '') =>
    (await ok<{ title: string }[]>(`GET ${P}/repository/commits/${String(sha)}/merge_requests${query}`)).map(
      ({ title }) => title,
    )
  expect(await titles(one)).toEqual(['one'])
  expect(await titles(merged['merge_commit_sha'])).toEqual(['one'])
  expect(await titles(two)).toEqual(['two'])
  expect(await titles(two, '?state=merged')).toEqual([])
  expect(await titles(main)).toEqual([])
})

testAtNight('is listed with the deployment that has brought it', async () => {
  const { ok, database, commit, make, refresh, P, project, ada, git, main } = await openMergeScene()
  const environment = await database
    .insertInto('environment')
    .values({
      project_id: project,
      name: 'prod',
      slug: 'prod',
      tier: 'production',
      created_at: 0,
      updated_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let iid = 0
  const deploy = async (sha: string, status: 'success' | 'failed' = 'success') => {
    iid += 1
    const place = { project_id: project, environment_id: environment.id, user_id: ada.id }
    const what = { iid, sha, ref: 'main', tag: false, status, created_at: 0, updated_at: 0 }
    const row = await database
      .insertInto('deployment')
      .values({ ...place, ...what })
      .returning('id')
      .executeTakeFirstOrThrow()
    return `GET ${P}/deployments/${row.id}/merge_requests`
  }
  const first = await deploy(main)
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { title: 'Bring b' })
  await refresh()
  await ok(`PUT ${P}/merge_requests/1/merge`)
  const merged = await git('rev-parse', 'main')
  const failed = await deploy(merged, 'failed')
  const second = await deploy(merged)
  const again = await deploy(merged)
  expect(await ok(first)).toEqual([])
  expect(await ok(failed)).toEqual([])
  expect(await ok(second)).toMatchObject([{ title: 'Bring b' }])
  expect(await ok(again)).toEqual([])
})
