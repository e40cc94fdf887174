import { join } from 'node:path'

import { expect, test } from 'vitest'

import { git, gitOk, workTree } from '../../../support/git-client.js'
import { variants } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { gitOverSsh, openSshScene } from '../ssh/ssh-scene.js'
import { gitServerForFile } from './git-server.js'

const startGitServer = gitServerForFile()

const OF_SERVER = ['refs/pipelines/7', 'refs/merge-requests/1/head']

/** Makes refs of the coordinator, of a commit that no branch has. */
async function makeRefs(gitDir: string): Promise<void> {
  const tree = await gitOk(gitDir, 'rev-parse', 'main^{tree}')
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const lost = await gitOk(gitDir, ...identity, 'commit-tree', '-m', 'lost', tree)
  for (const ref of OF_SERVER) await gitOk(gitDir, 'update-ref', ref, lost)
}

test.each(variants(['2'], ['0']))(
  'a mirror is pushed back over HTTP, in protocol version %s',
  async (version) => {
    const server = await startGitServer()
    const tree = await workTree()
    await gitOk(tree, 'push', server.remote(), 'main', 'main:topic')
    const gitDir = server.repositories.path(server.project.id)
    await makeRefs(gitDir)
    const mirror = join(await tempDir(), 'mirror.git')
    const protocol = ['-c', `protocol.version=${version}`]
    await gitOk('/', ...protocol, 'clone', '--quiet', '--mirror', server.remote(), mirror)
    const push = () => git(mirror, ...protocol, 'push', '--mirror', server.remote())
    const before = await gitOk(gitDir, 'for-each-ref')

    const nothingNew = await push()
    expect(nothingNew).toMatchObject({ exitCode: 0 })
    expect(nothingNew.output).toContain('remote: Ignored refs/merge-requests/1/head and 1 more')
    expect(await gitOk(gitDir, 'for-each-ref')).toBe(before)

    await gitOk(mirror, 'update-ref', '-d', 'refs/heads/topic')
    expect(await push()).toMatchObject({ exitCode: 0 })
    await gitOk(mirror, 'update-ref', 'refs/tags/v1', 'main')
    await gitOk(mirror, 'update-ref', '-d', 'refs/pipelines/7')
    expect(await push()).toMatchObject({ exitCode: 0 })
    const refs = await gitOk(gitDir, 'for-each-ref', '--format=%(refname)')
    expect(refs.split('\n')).toEqual(['refs/heads/main', ...OF_SERVER.toReversed(), 'refs/tags/v1'])
  },
)

test('a mirror is pushed back over SSH, and to another project, which gets no refs of the server', async () => {
  const scene = await openSshScene()
  const tree = await workTree()
  const remote = scene.remote()
  expect(await gitOverSsh(tree, scene.key, 'push', remote, 'main', 'main:topic')).toMatchObject({
    exitCode: 0,
  })
  await makeRefs(scene.services.repositories.path(scene.project.id))
  const mirror = join(await tempDir(), 'mirror.git')
  await gitOverSsh('/', scene.key, 'clone', '--quiet', '--mirror', remote, mirror)
  const push = (to: string) => gitOverSsh(mirror, scene.key, 'push', '--mirror', to)
  expect(await push(remote)).toMatchObject({ exitCode: 0 })
  await gitOk(mirror, 'update-ref', '-d', 'refs/heads/topic')
  expect(await push(remote)).toMatchObject({ exitCode: 0 })
  expect(await push(scene.remote('ada/other.git'))).toMatchObject({ exitCode: 0 })
  const other = scene.services.repositories.path(scene.other.id)
  expect(await gitOk(other, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
})

test('a mirror whose branch is refused says so for all refs', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  await makeRefs(server.repositories.path(server.project.id))
  const mirror = join(await tempDir(), 'mirror.git')
  await gitOk('/', 'clone', '--quiet', '--mirror', server.remote(), mirror)
  await gitOk(mirror, 'update-ref', 'refs/remotes/x/main', 'main')
  const { exitCode, output } = await git(mirror, 'push', '--mirror', server.remote())
  expect(exitCode).toBe(1)
  expect(output).toContain('You are not allowed to push to refs/remotes/x/main')
})
