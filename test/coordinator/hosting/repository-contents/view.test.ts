import { execa } from 'execa'
import { expect, test } from 'vitest'

import { treeCommitLines } from '../../../../src/coordinator/hosting/repository-contents/tree-commits.js'
import type {
  RenderedFile,
  RepositoryPaths,
  TreeCommit,
} from '../../../../src/coordinator/hosting/repository-contents/view-schema.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { randomFrom } from '../../ci/engine/support/random.js'
import {
  openRepositoryApi,
  type RepositoryApi,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const api = openForFile(async () => {
  const opened = await openRepositoryApi()
  await seedDefaultBranch(opened, { 'README.md': '# Hi' })
  return opened
})

/** Commits files to a branch, which the first commit creates. */
function commitTo(branch: string, files: Record<string, string | null>, message = 'Seed'): Promise<string> {
  return seedCommit(api(), files, { branch, message })
}

async function lastCommits(query: string): Promise<Map<string, TreeCommit['commit']>> {
  const response = await api().call(`GET /repository/tree_commits?${query}`)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-ndjson'])
  const lines = response.body.split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => JSON.parse(line) as TreeCommit).map(({ name, commit }) => [name, commit]),
  )
}

test('each entry of a folder has the commit that changed it last', async () => {
  const first = await commitTo('last', { 'a.txt': '1', 'dir/x': '1', 'dir/deep/y': '1', b: '1' })
  const second = await commitTo('last', { 'dir/deep/y': '2' }, 'Go deeper\n\nFar.')
  const third = await commitTo('last', { b: null, c: '3' })
  const root = await lastCommits('ref=last')
  expect([...root].map(([name, { id }]) => [name, id])).toEqual([
    ['c', third],
    ['dir', second],
    ['a.txt', first],
  ])
  expect(root.get('dir')).toEqual({
    id: second,
    short_id: second.slice(0, 8),
    title: 'Go deeper',
    author_name: 'Ada',
    authored_date: '2024-05-01T10:00:00.000+02:00',
  })
  const folder = await lastCommits('ref=last&path=/dir/')
  expect([...folder].map(([name, { id }]) => [name, id])).toEqual([
    ['deep', second],
    ['x', first],
  ])
  const earlier = await lastCommits(`ref=${first}`)
  expect([...earlier.keys()].toSorted()).toEqual(['a.txt', 'b', 'dir'])
  expect([...(await lastCommits('')).keys()]).toEqual(['README.md'])
})

testAtNight(
  'in random histories with merges and wrong clocks, each entry has the commit that wrote its content',
  async () => {
    const { ids, files } = await importRandomHistory(api(), 60)
    for (const [index, sha] of ids.entries()) {
      if (index % 3 !== 0) continue
      const found = await lastCommits(`path=f&ref=${sha}`)
      const expected = [...(files[index] ?? [])].map(([name, writer]) => [name, ids[writer]])
      expect([...found].map(([name, { id }]) => [name, id]).toSorted()).toEqual(expected.toSorted())
    }
  },
)

test('hostile names of folders and refs are looked up literally', async () => {
  await commitTo('names', { ':(top)x/"a"': '1', '*': '2' })
  expect([...(await lastCommits('ref=names&path=:(top)x')).keys()]).toEqual(['"a"'])
  const results = []
  for (const query of [
    'ref=none',
    'ref=--all',
    'path=none',
    'path=../..',
    'path=a%0Ab',
    'ref=names&path=*',
  ]) {
    results.push((await api().call(`GET /repository/tree_commits?${query}`)).statusCode)
  }
  expect(results).toEqual([404, 404, 404, 404, 404, 404])
  const head = await api().call('HEAD /repository/tree_commits')
  expect([head.statusCode, head.body]).toEqual([200, ''])
})

test('the search for commits ends when nobody reads it any more', async () => {
  const treeId = await commitTo('gone', { a: '1', b: '1' })
  const sha = await commitTo('gone', { b: '2' })
  const { repositories, project } = api()
  const gone = new AbortController()
  const lines = treeCommitLines(repositories.reading(project.id, gone.signal), { sha, treeId, path: '' })
  expect((await lines.next()).value).toContain('"name":"b"')
  gone.abort()
  // It depends on the moment whether the reading or the wait for a slot ends.
  await expect(lines.next()).rejects.toThrow(/aborted|499/)
})

async function rendered(query: string): Promise<RenderedFile> {
  const response = await api().call(`GET /repository/rendered?${query}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

test('the README of the root or of a folder is rendered, the Markdown one before others', async () => {
  const commit = await commitTo('readme', {
    'README.txt': 'plain',
    'ReadMe.md': '# Hi',
    'docs/readme': '<b>',
    'docs/readme.rb': 'code',
    'src/x': '',
  })
  const html = '<h1 id="user-content-hi">Hi</h1>\n'
  expect(await rendered('ref=readme')).toEqual({ commit, path: 'ReadMe.md', format: 'markdown', html })
  expect(await rendered('')).toMatchObject({ path: 'README.md', html })
  expect(await rendered('ref=readme&dir=docs')).toEqual({
    commit,
    path: 'docs/readme',
    format: 'text',
    html: '<pre>&lt;b&gt;</pre>',
  })
  expect(await rendered('ref=readme&dir=src')).toEqual({ commit, path: null, format: null, html: null })
  const plain = await rendered('ref=readme&path=README.txt')
  expect(plain).toMatchObject({ format: 'text', html: '<pre>plain</pre>' })
})

test('relative links and pictures of a document lead to the pages of this ref', async () => {
  const text =
    '[a](../src/a%20b.ts) [r](/top.md#x) [d](sub/) [u](../../../up) [q](?a) ![p](p.png?raw=true) [m](#m)'
  const upload = `/uploads/${'0a'.repeat(16)}/x.png`
  await commitTo('feature/ä', { 'docs/guide.md': `${text} ![u](${upload})` })
  const { html } = await rendered(`path=docs/guide.md&ref=${encodeURIComponent('feature/ä')}`)
  const targets = [...(html ?? '').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)
  const ref = 'feature/%C3%A4'
  expect(targets).toEqual([
    `/ada/app/-/blob/${ref}/src/a%20b.ts`,
    `/ada/app/-/blob/${ref}/top.md#x`,
    `/ada/app/-/tree/${ref}/docs/sub`,
    `/ada/app/-/blob/${ref}/up`,
    `/ada/app/-/blob/${ref}/docs/guide.md?a`,
    `/ada/app/-/raw/${ref}/docs/p.png?raw=true`,
    '#user-content-m',
    upload,
  ])
})

test('a symbolic link shows its file, and binary and large files are not shown', async () => {
  await commitTo('links', { 'docs/a.md': '*a*', binary: 'a\0b', large: 'x'.repeat(1024 * 1024 + 1) })
  await seedLinks(api(), 'links', {
    'README.md': 'docs/a.md',
    'out.md': '../../etc/passwd',
    'loop.md': 'loop.md',
  })
  expect(await rendered('ref=links')).toMatchObject({ path: 'README.md', html: '<p><em>a</em></p>\n' })
  for (const path of ['out.md', 'loop.md', 'binary', 'large']) {
    expect(await rendered(`ref=links&path=${path}`)).toMatchObject({ path, html: null })
  }
})

test('a file or ref that does not exist cannot be rendered', async () => {
  const results = []
  for (const query of ['path=none', 'path=../x', 'path=', 'dir=none', 'ref=none', 'path=a&dir=b']) {
    results.push((await api().call(`GET /repository/rendered?${query}`)).statusCode)
  }
  expect(results).toEqual([404, 404, 404, 404, 404, 400])
})

test('the paths of a commit are sent as a whole, and not again while the ref stays', async () => {
  const commit = await commitTo('paths', { 'z/ü "x"': '1', b: '2', 'dir/c': '3' })
  const read = async (ref: string, tag = '') => {
    const { project, owner, app } = api()
    const url = `/api/v4/projects/${project.id}/repository/paths?ref=${ref}`
    return app.app.inject({ url, headers: { 'private-token': owner.token, 'if-none-match': tag } })
  }
  const first = await read('paths')
  const tag = String(first.headers.etag)
  expect(first.json<RepositoryPaths>()).toEqual({
    commit,
    paths: ['b', 'dir/c', 'z/ü "x"'],
    truncated: false,
  })
  expect((await read('paths', tag)).statusCode).toBe(304)
  await commitTo('paths', { d: '4' })
  expect((await read('paths', tag)).json<RepositoryPaths>().paths).toContain('d')
  expect((await read('none')).statusCode).toBe(404)
})

interface History {
  /** SHAs by index. */
  ids: string[]
  /** For each commit, the index of the commit that wrote each file. */
  files: Map<string, number>[]
}

/** Commits with the folder `f`. Each content is written once, and merges take each file from one of their parents. */
async function importRandomHistory(api: RepositoryApi, count: number): Promise<History> {
  const random = randomFrom(7)
  const files: Map<string, number>[] = []
  const input: string[] = []
  for (let index = 0; index < count; index++) {
    const parents = index === 0 ? [] : [random(index), random(index)]
    const isMerge = parents[0] !== parents[1] && random(3) === 0
    const [first, second] = parents.map((parent) => files[parent])
    const content = new Map(first)
    if (isMerge) for (const [name, writer] of second ?? []) if (random(2) === 0) content.set(name, writer)
    if (!isMerge || random(3) === 0) content.set(String(random(6)), index)
    files.push(content)
    const from = index === 0 ? '' : `from :${Number(parents[0]) + 1}\n`
    input.push(
      `commit refs/heads/c${index}\nmark :${index + 1}\ncommitter A <a@a> ${1e9 + random(60)} +0000\ndata 1\nm\n`,
      from,
      isMerge ? `merge :${Number(parents[1]) + 1}\n` : '',
      'deleteall\n',
      ...[...content].map(
        ([name, writer]) => `M 100644 inline f/${name}\ndata ${String(writer).length}\n${writer}\n`,
      ),
      `\nget-mark :${index + 1}\n`,
    )
  }
  const stdout = await fastImport(api, input.join(''))
  return { ids: stdout.trim().split('\n'), files }
}

async function seedLinks(api: RepositoryApi, branch: string, links: Record<string, string>): Promise<void> {
  const changes = Object.entries(links).map(
    ([path, target]) => `M 120000 inline ${path}\ndata ${target.length}\n${target}\n`,
  )
  const ref = `refs/heads/${branch}`
  const head = `commit ${ref}\ncommitter A <a@a> 1700000000 +0000\ndata 1\nm\nfrom ${ref}^0\n`
  await fastImport(api, head + changes.join(''))
}

async function fastImport(api: RepositoryApi, input: string): Promise<string> {
  const cwd = api.repositories.path(api.project.id)
  return (await execa('git', ['fast-import', '--quiet', '--force'], { cwd, input })).stdout
}
