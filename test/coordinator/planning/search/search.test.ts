import { expect, test } from 'vitest'

import { page } from '../../../../src/coordinator/http/page.js'
import {
  countFilesSoon,
  countResults,
  FIRST_FILES,
} from '../../../../src/coordinator/planning/search/count-results.js'
import { searchRepositories } from '../../../../src/coordinator/planning/search/search-repositories.js'
import { copyRow } from '../../../bench/list-rows.mjs'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { sampled, testAtNight } from '../../../support/nightly.js'
import { setSettings } from '../../support/set-settings.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { planningSceneForFile } from '../support.js'

const openPlanningScene = planningSceneForFile()

interface Result {
  title?: string
  path?: string
  name?: string
  username?: string
  startline?: number
  data?: string
  body?: string
}

async function openScene(open: OpenDatabase) {
  const scene = await openPlanningScene(open)
  await setSettings(scene.services, { search_rate_limit: 0 })
  const find = (at: string, query: string, as?: Person) =>
    scene.ok<Result[]>(`GET ${at}/search?${query}`, undefined, as)
  return {
    ...scene,
    find,
    /** Creates a merge request of a new branch into `main`. */
    propose: async (branch: string, body: object = {}) => {
      await scene.commit(scene.P, { [`${branch}.txt`]: 'x' }, branch)
      await scene.ok(`POST ${scene.P}/repository/branches`, { branch, ref: 'main' })
      await scene.ok(`POST ${scene.P}/merge_requests`, {
        source_branch: branch,
        target_branch: 'main',
        title: branch,
        ...body,
      })
    },
    titles: async (at: string, query: string, as?: Person) =>
      (await find(at, query, as)).map(({ title }) => title),
    paths: async (at: string, query: string, as?: Person) =>
      (await find(at, `scope=blobs&search=${encodeURIComponent(query)}`, as)).map(({ path }) => path),
  }
}

describeOnDatabase('a search', (open) => {
  test('is counted by kind, as far as the caller may see the results', async () => {
    const { ok, person, commit, P, G } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'An engine' })
    await ok(`POST ${P}/issues`, { title: 'Secret engine', confidential: true })
    await ok(`POST ${P}/issues/1/notes`, { body: 'Which engine?' })
    await ok(`POST ${P}/milestones`, { title: 'engine 2' })
    const guest = await person('engineer', P, 10)
    const none = { merge_requests: 0, snippet_titles: 0 }
    const query = 'search/counts?search=engine'
    expect(await ok(`GET ${P}/${query}`)).toEqual({ ...none, issues: 2, milestones: 1, notes: 1, users: 1 })
    await commit(P, { 'engine.txt': 'An engine' })
    const files = { blobs: 1, commits: 0, wiki_blobs: 0 }
    expect(await ok(`GET ${P}/${query}&files=true`)).toEqual(files)
    for (const at of [G, '']) {
      const counts = { ...none, projects: 0, issues: 1, milestones: 1 }
      expect(await ok(`GET ${at}/${query}`, undefined, guest)).toMatchObject(counts)
      type Files = { blobs: number; incomplete: string[] }
      const { blobs, incomplete } = await ok<Files>(`GET ${at}/${query}&files=true`)
      // A busy machine does not search the repository in time.
      expect(incomplete.includes('blobs') || blobs === 1).toBe(true)
    }
  })

  test('of several repositories is counted for a short time', async () => {
    const given: number[] = []
    const found = { blobs: [101, true], commits: [12, false], wiki_blobs: [0, false] } as const
    const counts = await countFilesSoon((scope, milliseconds) => {
      given.push(milliseconds)
      const [count, isComplete] = found[scope]
      return Promise.resolve({ rows: Array.from({ length: count }, () => ({})), isComplete })
    })
    expect(counts).toEqual({ blobs: 101, commits: 12, wiki_blobs: 0, incomplete: ['commits', 'wiki_blobs'] })
    expect(given[0]).toBe(500)
    expect(Math.max(...given)).toBeLessThanOrEqual(1500)
  })

  testAtNight('that has no more time says what it has found', async () => {
    const { services, database, commit, P } = await openScene(open)
    await commit(P, { 'engine.txt': 'An engine' })
    const viewer = await database
      .selectFrom('user')
      .selectAll()
      .where('username', '=', 'root')
      .executeTakeFirstOrThrow()
    const deps = { ...services, externalUrl: EXTERNAL_URL }
    const search = (milliseconds: number) =>
      searchRepositories(deps, { viewer }, { scope: 'blobs', search: 'engine' }, FIRST_FILES, {
        signal: new AbortController().signal,
        milliseconds,
      })
    expect(await search(0)).toEqual({ rows: [], isComplete: false })
    expect(await search(60_000)).toMatchObject({ rows: [{ path: 'engine.txt' }], isComplete: true })
  })

  test('counts no further than 1,000', async () => {
    const found = await countResults(['issues', 'users', 'notes'], async (scope) =>
      page([], { issues: 1000, users: 1001 }[scope as string]),
    )
    expect(found).toEqual({ issues: 1000, users: 1001, notes: 1001 })
  })

  testAtNight('finds issues by text, number and state, in the order of their creation', async () => {
    const { ok, titles, find, P, G } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'Broken engine', description: 'x' })
    await ok(`POST ${P}/issues`, { title: 'Other', description: 'an ENGINE of 100%' })
    await ok(`POST ${P}/issues`, { title: 'Closed engine', confidential: true })
    await ok(`PUT ${P}/issues/3`, { state_event: 'close' })
    for (const at of sampled(['', G, P, `${G}/-`, `${P}/-`], 3)) {
      const query = 'scope=issues&search=engine'
      expect(await titles(at, query)).toEqual(['Closed engine', 'Other', 'Broken engine'])
      expect(await titles(at, `${query}&state=opened&sort=asc`)).toEqual(['Broken engine', 'Other'])
      expect(await titles(at, `${query}&confidential=true`)).toEqual(['Closed engine'])
      expect(await titles(at, `${query}&per_page=1&page=2`)).toEqual(['Other'])
      expect(await titles(at, 'scope=issues&search=%232')).toEqual(['Other'])
      expect(await titles(at, 'scope=issues&search=0%25')).toEqual(['Other'])
      expect(await titles(at, 'scope=issues&search=nothing')).toEqual([])
    }
    expect(await find(P, 'scope=issues&search=broken')).toMatchObject([
      { iid: 1, references: { relative: '#1' } },
    ])
  })

  testAtNight('finds merge requests by text, number and state', async () => {
    const { ok, titles, find, propose, P, G } = await openScene(open)
    await propose('a', { title: 'Broken engine', description: 'x' })
    await propose('b', { title: 'Other', description: 'an ENGINE' })
    await propose('c', { title: 'Closed engine' })
    await ok(`PUT ${P}/merge_requests/3`, { state_event: 'close' })
    for (const at of ['', G, P]) {
      const query = 'scope=merge_requests&search=engine'
      expect(await titles(at, query)).toEqual(['Closed engine', 'Other', 'Broken engine'])
      expect(await titles(at, `${query}&state=opened&sort=asc`)).toEqual(['Broken engine', 'Other'])
      expect(await titles(at, `${query}&state=merged`)).toEqual([])
      expect(await titles(at, 'scope=merge_requests&search=!2')).toEqual(['Other'])
    }
    expect(await find(P, 'scope=merge_requests&search=other')).toMatchObject([
      { iid: 2, references: { relative: '!2' } },
    ])
  })

  testAtNight('finds comments on issues and merge requests, the newest first', async () => {
    const { ok, find, person, propose, P } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'a' })
    await ok(`POST ${P}/issues`, { title: 'b', confidential: true })
    await propose('a')
    await ok(`POST ${P}/issues/1/notes`, { body: 'a Needle' })
    await ok(`POST ${P}/merge_requests/1/notes`, { body: 'needle of a request' })
    await ok(`POST ${P}/issues/2/notes`, { body: 'confidential needle' })
    await ok(`POST ${P}/issues/1/notes`, { body: 'internal needle', internal: true })
    await ok(`POST ${P}/issues/1/notes`, { body: 'other' })
    await ok(`PUT ${P}/issues/1`, { title: 'needle' })
    const bodies = async (as?: Person) =>
      (await find(P, 'scope=notes&search=needle', as)).map(({ body }) => body)
    expect(await bodies()).toEqual([
      'internal needle',
      'confidential needle',
      'needle of a request',
      'a Needle',
    ])
    expect(await find(P, 'scope=notes&search=needle&per_page=1&page=3')).toMatchObject([
      { noteable_type: 'MergeRequest', noteable_iid: 1 },
    ])
    expect(await bodies(await person('visitor'))).toEqual(['needle of a request', 'a Needle'])
    await ok(`PUT ${P}`, { issues_access_level: 'private' })
    expect(await bodies(await person('guest', P, 10))).toEqual(['needle of a request', 'a Needle'])
    expect(await bodies(await person('stranger'))).toEqual(['needle of a request'])
    await ok(`PUT ${P}`, { merge_requests_access_level: 'disabled' })
    expect(await bodies()).toEqual(['internal needle', 'confidential needle', 'a Needle'])
  })

  testAtNight('finds comments behind newer ones that are too large for one statement', async () => {
    const { ok, find, services, P } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'a' })
    await ok(`POST ${P}/issues/1/notes`, { body: 'the oldest needle' })
    const { id } = await ok<{ id: number }>(`POST ${P}/issues/1/notes`, { body: 'large' })
    const { database } = services
    await database
      .updateTable('note')
      .set({ body: 'x'.repeat(1024 ** 2) })
      .where('id', '=', id)
      .execute()
    await copyRow(database, 'note', { id: String(id) }, 20, {})
    await ok(`POST ${P}/issues/1/notes`, { body: 'the newest needle' })
    const bodies = async (query: string) =>
      (await find(P, `scope=notes&search=needle&${query}`)).map(({ body }) => body)
    expect(await bodies('')).toEqual(['the newest needle', 'the oldest needle'])
    expect(await bodies('per_page=1&page=2')).toEqual(['the oldest needle'])
  })

  testAtNight('finds snippets by their titles, those that the caller sees', async () => {
    const { ok, person, titles, secret, P, G } = await openScene(open)
    const ada = await person('snippet-author')
    const snippet = (at: string, title: string, visibility: string, as?: Person) =>
      ok(`POST ${at}/snippets`, { title, visibility, file_name: 'a', content: 'a' }, as)
    await snippet('', 'needle mine', 'private', ada)
    await snippet('', 'needle of all', 'public', ada)
    await snippet(P, 'needle of members', 'private')
    await snippet(P, 'needle of the project', 'public')
    await snippet(secret, 'needle of the secret', 'public')
    await snippet(P, 'other', 'public')
    const found = (at: string, as?: Person) => titles(at, 'scope=snippet_titles&search=needle', as)
    expect(await found('', ada)).toEqual(['needle of the project', 'needle of all', 'needle mine'])
    expect(await found(P, ada)).toEqual(['needle of the project'])
    expect(await found(G)).toEqual(['needle of the secret', 'needle of the project', 'needle of members'])
    expect(await found('')).toHaveLength(5)
  })

  test('finds projects, milestones and users', async () => {
    const { ok, find, titles, person, P, G, secret } = await openScene(open)
    await person('searched', P, 10)
    await person('searcher')
    await ok(`POST ${P}/milestones`, { title: 'Search v1' })
    await ok(`POST ${G}/milestones`, { title: 'Search v2' })
    await ok(`POST ${secret}/milestones`, { title: 'Search v3', description: 'x' })
    const names = async (at: string, scope: string, text: string) =>
      (await find(at, `scope=${scope}&search=${text}`)).map(({ name }) => name)
    expect(await names('', 'projects', 'SECRET')).toEqual(['secret'])
    expect(await names(G, 'projects', 'app')).toEqual(['app'])
    expect(await titles('', 'scope=milestones&search=search')).toEqual([
      'Search v3',
      'Search v2',
      'Search v1',
    ])
    expect(await titles(G, 'scope=milestones&search=search')).toHaveLength(3)
    expect(await titles(P, 'scope=milestones&search=search')).toEqual(['Search v1'])
    const users = async (at: string) =>
      (await find(at, 'scope=users&search=search')).map(({ username }) => username)
    expect((await users('')).toSorted()).toEqual(['searched', 'searcher'])
    expect(await users(P)).toEqual(['searched'])
    expect(await users(G)).toEqual([])
  })

  testAtNight('finds lines of the wiki, also of an earlier version', async () => {
    const { ok, find, services, P } = await openScene(open)
    const project = Number(P.slice('/projects/'.length))
    expect(await find(P, 'scope=wiki_blobs&search=needle')).toEqual([])
    await ok(`POST ${P}/wikis`, { title: 'Setup/First steps', content: 'one\na NEEDLE' })
    const ref = (await services.wikiRepositories.resolveRef(project, 'main'))?.sha ?? ''
    const found = [
      {
        basename: 'Setup/First-steps',
        data: 'one\na NEEDLE\n',
        path: 'Setup/First-steps.md',
        filename: 'Setup/First-steps.md',
        id: null,
        ref: 'main',
        startline: 1,
        project_id: project,
      },
    ]
    expect(await find(P, 'scope=wiki_blobs&search=needle')).toEqual(found)
    await ok(`PUT ${P}/wikis/Setup%2FFirst-steps`, { content: 'other' })
    expect(await find(P, 'scope=wiki_blobs&search=needle')).toEqual([])
    expect(await find(P, `scope=wiki_blobs&search=needle&ref=${ref}`)).toMatchObject([{ ref }])
    expect(await find(P, 'scope=wiki_blobs&search=needle&ref=--all')).toEqual([])
  })

  testAtNight('finds lines of files, with what is around them', async () => {
    const { ok, find, paths, commit, P } = await openScene(open)
    const id = Number(P.split('/').at(-1))
    expect(await paths(P, 'needle')).toEqual([])
    const lines = ['1', '2', '3', 'A Needle.*', '5', '6', '7', '8', '9', 'needle', '11']
    const sha = await commit(P, {
      'src/deep/a.b.txt': `${lines.join('\n')}\n`,
      'docs/needle.md': 'needle\n',
      'docs/other.md': 'other\n',
    })
    const binary = { file_path: 'binary', encoding: 'base64', content: btoa('needle\0') }
    const added = { branch: 'main', commit_message: 'x', actions: [{ action: 'create', ...binary }] }
    await ok(`POST ${P}/repository/commits`, added)
    const found = await find(P, 'scope=blobs&search=needle')
    expect(found).toEqual([
      {
        basename: 'docs/needle',
        data: 'needle\n',
        path: 'docs/needle.md',
        filename: 'docs/needle.md',
        id: null,
        ref: 'main',
        startline: 1,
        project_id: id,
      },
      expect.objectContaining({ basename: 'src/deep/a.b', startline: 2, data: '2\n3\nA Needle.*\n5\n6\n' }),
      expect.objectContaining({ path: 'src/deep/a.b.txt', startline: 8, data: '8\n9\nneedle\n11\n' }),
    ])
    expect(await find(P, 'scope=blobs&search=needle&per_page=1&page=2')).toMatchObject([{ startline: 2 }])
    expect(await find(P, `scope=blobs&search=needle.*&ref=${sha}`)).toMatchObject([
      { ref: sha, startline: 2 },
    ])
    expect(await paths(P, 'needle extension:md')).toEqual(['docs/needle.md'])
    expect(await paths(P, 'needle -extension:md path:deep')).toEqual(['src/deep/a.b.txt', 'src/deep/a.b.txt'])
    expect(await paths(P, 'filename:*.MD')).toEqual(['docs/needle.md', 'docs/other.md'])
    for (const hostile of [
      '--help',
      '--open-files-in-pager=x',
      '-e x',
      'path:../..',
      'filename:[',
      'path::(exclude)',
    ]) {
      expect(await paths(P, hostile)).toEqual([])
    }
    expect(await find(P, 'scope=blobs&search=needle&ref=none')).toEqual([])
    expect(await find(P, 'scope=blobs&search=needle&ref=--all')).toEqual([])
    await ok(`POST ${P}/repository/branches`, { branch: 'topic', ref: 'main' })
    expect(await find(P, 'scope=blobs&search=other&ref=topic')).toMatchObject([{ ref: 'topic' }])
  })

  testAtNight('finds commits by message and by ID', async () => {
    const { titles, find, commit, P } = await openScene(open)
    expect(await titles(P, 'scope=commits&search=first')).toEqual([])
    const sha = await commit(P, { a: 'a' }, 'First (change)\n\nWith a Text')
    await commit(P, { b: 'b' }, 'Second text')
    expect(await titles(P, 'scope=commits&search=text')).toEqual(['Second text', 'First (change)'])
    expect(await titles(P, 'scope=commits&search=text&per_page=1&page=2')).toEqual(['First (change)'])
    expect(await titles(P, 'scope=commits&search=(CHANGE)')).toEqual(['First (change)'])
    expect(await titles(P, `scope=commits&search=${sha.slice(0, 8)}`)).toEqual(['First (change)'])
    expect(await titles(P, `scope=commits&search=${sha}&page=2`)).toEqual([])
    expect(await titles(P, 'scope=commits&search=--all')).toEqual([])
    expect(await find(P, 'scope=commits&search=second')).toMatchObject([
      { project_id: expect.any(Number) as number },
    ])
  })

  testAtNight(
    'finds files, commits and files of wikis in several projects, those with the latest activity first',
    async () => {
      const { ok, find, paths, commit, services, P, G, secret } = await openScene(open)
      const id = (project: string) => Number(project.split('/').at(-1))
      const order = async (...projects: string[]) => {
        const now = Date.now()
        for (const [index, project] of projects.entries()) {
          const last_activity_at = now - index
          await services.database
            .updateTable('project')
            .set({ last_activity_at })
            .where('id', '=', id(project))
            .execute()
        }
      }
      await commit(P, { 'a.md': 'Needle\n', 'b.md': 'a needle\n' }, 'A needle')
      await commit(secret, { 'c.md': 'needle\n' }, 'Another needle')
      await ok(`POST ${P}/wikis`, { title: 'home', content: 'needle' })
      await ok(`POST ${secret}/wikis`, { title: 'start', content: 'needle' })
      for (const at of ['', G]) {
        await order(P, secret)
        expect(await paths(at, 'needle')).toEqual(['a.md', 'b.md', 'c.md'])
        expect(await paths(at, 'needle -path:b')).toEqual(['a.md', 'c.md'])
        await order(secret, P)
        expect(await paths(at, 'needle')).toEqual(['c.md', 'a.md', 'b.md'])
        expect(await find(at, 'scope=blobs&search=needle&per_page=2&page=2')).toMatchObject([
          { path: 'b.md', project_id: id(P), ref: 'main', data: 'a needle\n' },
        ])
        expect(await find(at, 'scope=commits&search=needle')).toMatchObject([
          { title: 'Another needle', project_id: id(secret) },
          { title: 'A needle', project_id: id(P) },
        ])
        expect(await find(at, 'scope=wiki_blobs&search=needle')).toMatchObject([
          { path: 'start.md', project_id: id(secret) },
          { path: 'home.md', project_id: id(P) },
        ])
      }
      await ok(`POST ${G}/wikis`, { title: 'Team', content: 'needle' })
      for (const at of ['', G]) {
        expect(await find(at, 'scope=wiki_blobs&search=needle&per_page=2')).toMatchObject([
          { path: 'Team.md', project_id: null, group_id: id(G) },
          { path: 'start.md', project_id: id(secret) },
        ])
      }
    },
  )

  testAtNight('searches a hundred projects, and says when there are more', async () => {
    const { app, root, commit, services, P, G } = await openScene(open)
    await commit(P, { 'a.md': 'needle\n' })
    const id = Number(P.split('/').at(-1))
    const searched = async () => {
      const response = await app.call(root, `GET ${G}/search?scope=blobs&search=needle`)
      return [response.json<Result[]>().map(({ path }) => path), response.headers['x-search-incomplete']]
    }
    expect(await searched()).toEqual([['a.md'], undefined])
    await copyRow(services.database, 'project', { id: String(id) }, 100, {
      path: "'copy' || i",
      full_path: "'team/copy' || i",
      last_activity_at: 'i',
      runners_token_digest: "'digest' || i",
    })
    expect(await searched()).toEqual([['a.md'], 'true'])
  })

  test('finds nothing that the caller may not see', async () => {
    const { call, ok, find, person, commit, P, G, secret } = await openScene(open)
    const visitor = await person('visitor')
    const guest = await person('guest', secret, 10)
    const reporter = await person('reporter', secret, 20)
    await commit(secret, { a: 'needle\n' }, 'A needle')
    await ok(`POST ${secret}/wikis`, { title: 'home', content: 'needle' })
    await ok(`POST ${secret}/issues`, { title: 'needle' })
    await ok(`POST ${secret}/issues`, { title: 'confidential needle', confidential: true })
    await ok(`POST ${P}/issues`, { title: 'public confidential needle', confidential: true })
    await ok(`POST ${secret}/milestones`, { title: 'needle' })
    const hidden = await ok('POST /groups', { name: 'Hidden', path: 'hidden', visibility: 'private' })
    await ok(`POST /groups/${hidden.id}/milestones`, { title: 'needle' })
    const count = async (at: string, scope: string, as: Person) =>
      (await find(at, `scope=${scope}&search=${scope === 'projects' ? 'secret' : 'needle'}`, as)).length
    for (const at of ['', G]) {
      expect(await count(at, 'projects', visitor)).toBe(0)
      expect(await count(at, 'issues', visitor)).toBe(0)
      expect(await count(at, 'milestones', visitor)).toBe(0)
      expect(await count(at, 'projects', guest)).toBe(1)
      expect(await count(at, 'issues', guest)).toBe(1)
      expect(await count(at, 'milestones', guest)).toBe(1)
      expect(await count(at, 'issues', reporter)).toBe(2)
      const inRepositories = async (as: Person) => [
        await count(at, 'blobs', as),
        await count(at, 'commits', as),
        await count(at, 'wiki_blobs', as),
      ]
      expect(await inRepositories(visitor)).toEqual([0, 0, 0])
      expect(await inRepositories(guest)).toEqual([0, 0, 1])
      expect(await inRepositories(reporter)).toEqual([1, 1, 1])
    }
    const inSecret = async (as: Person) => {
      const counts = []
      for (const scope of ['issues', 'milestones', 'wiki_blobs', 'blobs', 'commits'])
        counts.push(await count(secret, scope, as))
      return counts
    }
    expect(await inSecret(guest)).toEqual([1, 1, 1, 0, 0])
    expect(await inSecret(reporter)).toEqual([2, 1, 1, 1, 1])
    const off = { issues_access_level: 'disabled', merge_requests_access_level: 'disabled' }
    const none = { wiki_access_level: 'disabled', repository_access_level: 'disabled' }
    await ok(`PUT ${secret}`, { ...off, ...none })
    expect(await inSecret(reporter)).toEqual([0, 0, 0, 0, 0])
    expect(await count('', 'milestones', reporter)).toBe(0)
    for (const scope of ['blobs', 'commits', 'wiki_blobs']) expect(await count(G, scope, reporter)).toBe(0)

    const query = 'search?scope=issues&search=needle'
    expect(await call(`GET ${secret}/${query}`, undefined, visitor)).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    for (const at of ['', P, G]) {
      expect(await call(`GET ${at}/${query}`, undefined, null)).toEqual([
        401,
        { message: '401 Unauthorized' },
      ])
    }
  })

  testAtNight('names a scope and a text', async () => {
    const { call, P } = await openScene(open)
    expect(await call('GET /search')).toEqual([400, { error: 'scope is missing, search is missing' }])
    const wrong = [400, { error: 'scope does not have a valid value' }]
    expect(await call('GET /search?scope=notes&search=a')).toEqual(wrong)
    expect(await call(`GET ${P}/search?scope=projects&search=a`)).toEqual(wrong)
    expect(await call(`GET ${P}/search?scope=issues&search=`)).toEqual([400, { error: 'search is empty' }])
    expect(await call(`GET ${P}/search?scope=issues&search=a&state=x`)).toEqual([
      400,
      { error: 'state does not have a valid value' },
    ])
  })
})
