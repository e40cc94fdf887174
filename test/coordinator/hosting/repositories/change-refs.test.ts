import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { changeRefs } from '../../../../src/coordinator/hosting/repositories/change/change-refs.js'
import {
  RefsMovedError,
  RefsRefusedError,
} from '../../../../src/coordinator/hosting/repositories/change/errors.js'
import { finishInterruptedPushes } from '../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { startGitServer } from './git-server.js'

const NONE = '0'.repeat(40)

async function served(open?: Parameters<typeof startGitServer>[0]) {
  const server = await startGitServer(open)
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const { id } = server.project
  const project = await server.database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  server.pushed.length = 0
  const changer = { project, user: server.owner, accessLevel: 50, signal: new AbortController().signal }
  return { server, tree, changer, head: await gitOk(tree, 'rev-parse', 'HEAD') }
}

describeOnDatabase('refs that are changed without a push', (open) => {
  test('get their pipelines later when the coordinator is killed in between, each once', async () => {
    const { server, changer, head } = await served(open)
    const run = server.onPipeline.create
    server.onPipeline.create = () => Promise.reject(new Error('killed'))
    await changeRefs(server, changer, [{ ref: 'refs/heads/topic', before: NONE, after: head }])
    expect(server.pushed).toEqual([])
    server.onPipeline.create = run
    await Promise.all([finishInterruptedPushes(server), finishInterruptedPushes(server)])
    expect(server.pushed).toMatchObject([{ ref: 'topic', sha: head, beforeSha: NONE }])
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  })

  testAtNight('move all or none, from the state that they are said to be in', async () => {
    const { server, tree, changer, head } = await served(open)
    const wrong = [
      { ref: 'refs/heads/new', before: NONE, after: head },
      { ref: 'refs/heads/main', before: NONE, after: head },
    ]
    await expect(changeRefs(server, changer, wrong)).rejects.toThrow(RefsMovedError)
    expect(await gitOk(tree, 'ls-remote', '--heads', server.remote(), 'new')).toBe('')
    expect(server.pushed).toEqual([])
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  })
})

test('a protected branch is not overwritten, and refs of the coordinator itself are left alone', async () => {
  const { server, tree, changer, head } = await served()
  const next = await commit(tree, { b: 'b' })
  await gitOk(tree, 'push', server.remote(), 'main')
  const back = [{ ref: 'refs/heads/main', before: next, after: head }]
  await expect(changeRefs(server, changer, back)).rejects.toThrow(RefsRefusedError)
  const reserved = [{ ref: 'refs/pipelines/1', before: NONE, after: head }]
  await expect(changeRefs(server, changer, reserved)).rejects.toThrow(RefsRefusedError)
  expect(await gitOk(tree, 'ls-remote', server.remote(), 'refs/heads/main')).toContain(next)
})

test.each(['refs/heads/main.lock', 'packed-refs.lock'])(
  '%s of a git that was killed does not prevent changes, one of a git that runs does',
  async (lock) => {
    const { server, tree, changer, head } = await served()
    const next = await commit(tree, { b: 'b' })
    await gitOk(tree, 'push', server.remote(), 'HEAD:refs/heads/next')
    const file = join(server.repositories.path(server.project.id), lock)
    const longAgo = new Date(Date.now() - 11 * 60_000)
    const lockSince = async (time: Date) => {
      await writeFile(file, '')
      await utimes(file, time, time)
    }
    const moves = [
      { ref: 'refs/heads/main', before: head, after: next },
      { ref: 'refs/heads/next', before: next, after: NONE },
    ]
    await lockSince(new Date())
    await expect(changeRefs(server, changer, moves)).rejects.toThrow(RefsMovedError)
    await lockSince(longAgo)
    await changeRefs(server, changer, moves)
    const after = await commit(tree, { c: 'c' })
    await lockSince(longAgo)
    await gitOk(tree, 'push', server.remote(), `${after}:refs/heads/main`)
    expect(await gitOk(tree, 'ls-remote', server.remote(), 'refs/heads/main')).toContain(after)
  },
)
