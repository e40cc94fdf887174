import { expect, test } from 'vitest'

import { GitSemaphore } from '../../../../src/coordinator/hosting/repositories/git-semaphore.js'
import { createTag } from '../../../../src/coordinator/hosting/tags/change-tags.js'
import { openSqlite } from '../../../support/databases.js'
import { countGit, holdGit } from '../../support/counted-git.js'
import {
  addEmptyFork,
  openRepositoryApi,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const WRITING = [
  'mktag',
  'update-ref',
  'merge-base',
  'merge-tree',
  'mktree',
  'rev-parse',
  'commit-tree',
  'hash-object',
  'read-tree',
  'update-index',
  'write-tree',
]
const ALL = '/repository'

const oneAtATime = () => new GitSemaphore({ processes: 2, perRepository: 1 })

test('API writes respect the git concurrency limit of a repository', async () => {
  const api = await openRepositoryApi(openSqlite, oneAtATime())
  await seedDefaultBranch(api)
  const topic = await seedCommit(api, { topic: 'topic' }, { branch: 'topic', message: 'Topic' })
  await Promise.all(
    ['a', 'b', 'c'].map((branch) => api.call(`POST ${ALL}/branches`, { branch, ref: 'main' })),
  )
  const git = await countGit()
  const responses = await Promise.all([
    ...['a', 'b', 'c'].map((branch) => api.call(`POST ${ALL}/commits/${topic}/cherry_pick`, { branch })),
    ...['t', 'u', 'v'].map((tag_name) =>
      api.call(`POST ${ALL}/tags`, { tag_name, ref: 'main', message: 'Tagged' }),
    ),
    ...['x', 'y', 'z'].map((branch) => api.call(`POST ${ALL}/branches`, { branch, ref: 'main' })),
    ...['f', 'g'].map((path) =>
      api.call(`POST ${ALL}/files/${path}`, {
        branch: `with-${path}`,
        start_branch: 'main',
        content: path,
        commit_message: 'File',
      }),
    ),
  ])
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 201))
  expect(await git.most({ of: WRITING })).toBe(1)
  // What the responses show is read beside the next one who writes.
  expect(await git.most({ without: [] })).toBeLessThanOrEqual(2)
})

test('API reads respect the git concurrency limit of a repository and do not wait for writers', async () => {
  const api = await openRepositoryApi(openSqlite, oneAtATime())
  const sha = await seedDefaultBranch(api)
  await seedCommit(api, { a: 'a' }, { branch: 'topic' })
  const git = await countGit()
  const gate = holdGit(api.repositories.path(api.project.id), 'mktag')
  const tag = api.call(`POST ${ALL}/tags`, { tag_name: 'late', ref: 'main', message: 'Tagged' })
  await gate.reached
  const responses = await Promise.all(
    [
      `/commits`,
      `/commits/${sha}/diff`,
      '/compare?from=main&to=topic',
      '/contributors',
      '/files/README.md/blame?ref=main',
      '/tree',
      '/branches',
      '/tags',
      '/archive.tar',
    ].map((path) => api.call(`GET ${ALL}${path}`)),
  )
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200))
  expect(await git.most({ without: WRITING })).toBe(1)
  await gate.goOn()
  expect((await tag).statusCode).toBe(201)
})

test('a busy repository does not block others, and a client that disconnects while waiting changes nothing', async () => {
  const api = await openRepositoryApi(openSqlite, oneAtATime())
  await seedDefaultBranch(api)
  const fork = await addEmptyFork(api)
  await seedCommit({ repositories: api.repositories, project: fork }, { a: 'a' })
  await countGit()
  const gate = holdGit(api.repositories.path(api.project.id), 'mktag')
  const first = api.call(`POST ${ALL}/tags`, { tag_name: 'first', ref: 'main', message: 'Tagged' })
  await gate.reached
  const gone = new AbortController()
  const changer = { project: api.project, user: api.owner, accessLevel: 50, signal: gone.signal }
  const second = createTag({ pushes: api, externalUrl: 'http://switchyard.example' }, changer, {
    tag_name: 'second',
    ref: 'main',
    message: 'Tagged',
  })
  const other = await api.app.call(api.owner, `POST /projects/${fork.id}${ALL}/branches`, {
    branch: 'x',
    ref: 'main',
  })
  expect(other.statusCode).toBe(201)
  gone.abort()
  await expect(second).rejects.toMatchObject({ status: 499 })
  await gate.goOn()
  expect((await first).statusCode).toBe(201)
  expect((await api.call(`GET ${ALL}/tags`)).json()).toMatchObject([{ name: 'first' }])
})
