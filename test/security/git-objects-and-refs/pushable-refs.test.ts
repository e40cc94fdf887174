import { expect, test } from 'vitest'

import { refusalsOf } from '../../../src/coordinator/hosting/repositories/push/ref-rules.js'
import { ZERO_ID } from '../../../src/git/names.js'
import { addMember, startGitServer } from '../../coordinator/hosting/repositories/git-server.js'
import { git, gitOk, workTree } from '../../support/git-client.js'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const CHANGES = { creation: [ZERO_ID, A], update: [A, B], deletion: [A, ZERO_ID] } as const

const FOREIGN = [
  'HEAD',
  'FETCH_HEAD',
  'config',
  'heads/main',
  'refs/main',
  'refs/replace/aaaa',
  'refs/merge-requests/1/head',
  'refs/keep-around/aaaa',
  'refs/pipelines/1',
  'refs/environments/prod/deployments/1',
  'refs/hidden/x',
  'refs/remotes/origin/main',
  'refs/stash',
  'refs/bisect/bad',
  'refs/rewritten/x',
  'refs/worktree/x',
  'refs/headsmain',
  'refs/notesx/a',
]

test.each(FOREIGN.flatMap((ref) => Object.keys(CHANGES).map((kind) => ({ ref, kind }))))(
  'nobody pushes to $ref: $kind',
  ({ ref, kind }) => {
    const [before, after] = CHANGES[kind as keyof typeof CHANGES]
    const changes = [{ ref, before, after }]
    const situation = { changes, accessLevel: 50, protectedRefs: [], defaultBranch: 'main' }
    expect(refusalsOf(situation)).toEqual([
      `You are not allowed to push to ${ref}: only refs below refs/heads/, refs/tags/, refs/notes/ can be pushed.`,
    ])
  },
)

test('a push to the refs of the coordinator is refused by name, and none of its other refs moves', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const { exitCode, output } = await git(tree, 'push', server.remote(), 'main', 'main:refs/keep-around/x')
  expect(exitCode).toBe(1)
  expect(output).toContain('remote: You are not allowed to push to refs/keep-around/x')
  expect(output).toContain('main -> refs/keep-around/x (pre-receive hook declined)')
  expect(await server.repositories.isEmpty(server.project.id)).toBe(true)
})

test('a developer pushes notes, and everybody who reads the code fetches them', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const developer = await addMember(server, 'dev', 30)
  await gitOk(tree, 'notes', 'add', '-m', 'seen')
  await gitOk(tree, 'push', server.remote(developer), 'refs/notes/commits')
  expect(await gitOk('/', 'ls-remote', server.remote(), 'refs/notes/*')).toContain('refs/notes/commits')
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test('clients see the refs that clients make, and those of pipelines and merge requests, which runners fetch', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main', 'main:refs/tags/v1', 'main:refs/notes/x')
  const gitDir = server.repositories.path(server.project.id)
  for (const name of ['pipelines/1', 'replace/x', 'keep-around/x', 'hidden/x', 'merge-requests/1/head']) {
    await gitOk(gitDir, 'update-ref', `refs/${name}`, 'main')
  }
  const fetched = await gitOk('/', 'ls-remote', server.remote())
  const names = fetched.split('\n').map((line) => line.split('\t')[1])
  const ofClients = ['HEAD', 'refs/heads/main', 'refs/merge-requests/1/head', 'refs/notes/x']
  expect(names).toEqual([...ofClients, 'refs/pipelines/1', 'refs/tags/v1'])
})
