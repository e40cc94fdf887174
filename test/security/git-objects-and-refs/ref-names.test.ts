import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { cloneInto } from '../../../src/coordinator/hosting/projects/import/clone.js'
import { startGitServer } from '../../coordinator/hosting/repositories/git-server.js'
import { openRepositoryApi } from '../../coordinator/support/repository-api.js'
import { git, gitOk, workTree } from '../../support/git-client.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const LONG = 'x'.repeat(251)
const LONGEST = 'ü'.repeat(125)
const NEVER = new AbortController().signal

/** Names that no ref can have, by what they are. */
const BROKEN = {
  'a lone surrogate': 's\ud800',
  'a lone surrogate at the start': '\udfffs',
  NUL: 'a\0b',
  'a line end': 'a\nb',
  'a control character': 'a\x01b',
  DEL: 'a\x7fb',
  'another ref': '../main',
  'an option': '-x',
}

interface Maker {
  /** That names the branch or tag. */
  parameter: string
  body: (name: string) => object
  /** Of the response to a name that git refuses. */
  status?: number
}

/** Each operation that makes or moves a branch or tag. */
const MAKERS: Record<string, Maker> = {
  'POST /repository/branches': { parameter: 'branch', body: (branch) => ({ branch, ref: 'main' }) },
  'POST /repository/tags': {
    parameter: 'tag_name',
    status: 405,
    body: (tag_name) => ({ tag_name, ref: 'main' }),
  },
  'POST /repository/commits': {
    parameter: 'branch',
    body: (branch) => ({
      branch,
      start_branch: 'main',
      commit_message: 'x',
      actions: [{ action: 'create', file_path: 'new', content: 'x' }],
    }),
  },
  'POST /repository/files/new': {
    parameter: 'branch',
    body: (branch) => ({ branch, start_branch: 'main', content: 'x', commit_message: 'x' }),
  },
  'POST /repository/commits/main/revert': { parameter: 'branch', body: (branch) => ({ branch }) },
  'POST /repository/commits/main/cherry_pick': { parameter: 'branch', body: (branch) => ({ branch }) },
}

function makerOf(route: string): Maker {
  const maker = MAKERS[route]
  if (!maker) throw new Error(`${route} makes no ref`)
  return maker
}

async function filledApi() {
  const api = await openRepositoryApi()
  const body = { branch: 'main', content: 'a', commit_message: 'first' }
  await api.call('POST /repository/files/a', body)
  return { api, refs: await api.git('for-each-ref') }
}

const filled = openForFile(filledApi)

test.each(Object.keys(MAKERS))('%s makes no branch or tag whose name is broken', async (route) => {
  const { api, refs } = filled()
  const { parameter, body, status = 400 } = makerOf(route)
  const word = parameter === 'branch' ? /branch/i : /tag/i
  for (const [kind, name] of Object.entries(BROKEN)) {
    const response = await api.call(route, body(name))
    const isMissing = response.statusCode === 404 && /revert|cherry_pick/.test(route)
    expect([400, status, ...(isMissing ? [404] : [])], kind).toContain(response.statusCode)
    expect(response.body, kind).toMatch(word)
  }
  expect(await api.git('for-each-ref')).toBe(refs)
  expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test.each(
  sampled(
    Object.keys(MAKERS).filter((route) => !/revert|cherry_pick/.test(route)),
    2,
  ),
)('%s makes no branch or tag whose name is too long, and names the limit', async (route) => {
  const { api, refs } = await filledApi()
  const { body, status = 400 } = makerOf(route)
  const response = await api.call(route, body(LONG))
  expect(response.statusCode).toBe(status)
  expect(response.body).toMatch(/(Branch|Tag) name is too long \(maximum is 250 bytes\)/)
  expect(await api.git('for-each-ref')).toBe(refs)
  expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
  expect((await api.call(route, body(LONGEST))).statusCode).toBe(201)
  expect(await api.git('for-each-ref', '--format=%(refname)')).toContain(LONGEST)
})

test.each(['heads', 'tags'])(
  'a push of a ref below refs/%s with a name that is too long leaves nothing',
  async (kind) => {
    const server = await startGitServer()
    const tree = await workTree()
    const { exitCode, output } = await git(tree, 'push', server.remote(), 'main', `main:refs/${kind}/${LONG}`)
    expect(exitCode).toBe(1)
    expect(output).toContain('with a name of more than 250 bytes')
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
    expect(await server.repositories.isEmpty(server.project.id)).toBe(true)
    await gitOk(tree, 'push', server.remote(), `main:refs/${kind}/${LONGEST}`)
    expect(server.pushed.map(({ ref }) => ref)).toEqual([LONGEST])
  },
)

test.each([
  ['that is too long', Buffer.from(LONG), 'its name has more than 250 bytes'],
  ['that is not UTF-8', Buffer.from('caf\xe9', 'latin1'), 'its name is not UTF-8'],
])(
  'a repository with a branch name %s is not imported, and the reason says so',
  async (_kind, name, reason) => {
    const source = await tempDir()
    const tree = await workTree()
    await gitOk(tree, 'clone', '--quiet', '--bare', '.', source)
    const sha = await gitOk(tree, 'rev-parse', 'HEAD')
    const line = Buffer.concat([Buffer.from(`${sha} refs/heads/`), name, Buffer.from('\n')])
    await writeFile(join(source, 'packed-refs'), line)
    const target = join(await tempDir(), 'target.git')
    const work = cloneInto(target, { from: source, settings: { 'protocol.file.allow': 'always' } }, NEVER)
    await expect(work).rejects.toThrow(reason)
    await mkdir(target) // nothing is in its place
  },
)

test('an import brings branches and tags, and no other ref of the repository', async () => {
  const source = await tempDir()
  const tree = await workTree()
  await gitOk(tree, 'clone', '--quiet', '--bare', '.', source)
  for (const ref of [
    'refs/tags/v1',
    'refs/replace/x',
    'refs/pipelines/1',
    'refs/keep-around/x',
    'refs/x/y',
  ]) {
    await gitOk(source, 'update-ref', ref, 'main')
  }
  const target = join(await tempDir(), 'target.git')
  await cloneInto(target, { from: source, settings: { 'protocol.file.allow': 'always' } }, NEVER)
  expect((await gitOk(target, 'for-each-ref', '--format=%(refname)')).split('\n')).toEqual([
    'refs/heads/main',
    'refs/tags/v1',
  ])
})
