import { expect, test, vi } from 'vitest'

import { finishInterruptedPushes } from '../../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { commit, gitOk, workTree } from '../../../../support/git-client.js'
import { testAtNight } from '../../../../support/nightly.js'
import { startGitServer } from '../git-server.js'

const DAY = 24 * 60 * 60 * 1000

describeOnDatabase('pushes that were left without pipelines', (open) => {
  test('get them once, each ref by itself, however many coordinators try', async () => {
    const server = await startGitServer(open)
    const run = server.onPipeline.create
    server.onPipeline.create = () => Promise.reject(new Error('killed'))
    const tree = await workTree()
    await gitOk(tree, 'push', '-o', 'ci.variable=A=1', server.remote(), 'main', 'main:topic')
    expect(server.pushed).toEqual([])
    server.onPipeline.create = run
    await Promise.all([finishInterruptedPushes(server), finishInterruptedPushes(server)])
    await finishInterruptedPushes(server)
    expect(server.pushed.map(({ ref }) => ref).sort()).toEqual(['main', 'topic'])
    expect(server.pushed[0]).toMatchObject({ variables: [{ key: 'A', value: '1' }], source: 'push' })
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  })

  testAtNight('get their activity for many refs once', async () => {
    const server = await startGitServer(open)
    const record = server.recordBulkMove
    server.recordBulkMove = () => Promise.reject(new Error('killed'))
    const tree = await workTree()
    const many = ['a', 'b', 'c', 'd'].map((name) => `main:${name}`)
    await gitOk(tree, 'push', server.remote(), ...many)
    server.recordBulkMove = record
    await Promise.all([finishInterruptedPushes(server), finishInterruptedPushes(server)])
    await finishInterruptedPushes(server)
    expect(server.bulk).toMatchObject([{ kind: 'branch', action: 'created', count: 4 }])
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  })

  testAtNight('get their pipelines even if their branch has moved since', async () => {
    const server = await startGitServer(open)
    const run = server.onPipeline.create
    server.onPipeline.create = () => Promise.reject(new Error('killed'))
    const tree = await workTree()
    const first = await gitOk(tree, 'rev-parse', 'HEAD')
    await gitOk(tree, 'push', server.remote(), 'main')
    server.onPipeline.create = run
    const second = await commit(tree, { b: 'b' })
    await gitOk(tree, 'push', server.remote(), 'main')
    await finishInterruptedPushes(server)
    expect(server.pushed.map(({ sha }) => sha)).toEqual([second, first])
  })

  test('are kept while git may be running, and deleted when they moved nothing', async () => {
    const server = await startGitServer(open)
    const tree = await workTree()
    await gitOk(tree, 'push', server.remote(), 'main')
    server.pushed.length = 0
    const head = await gitOk(tree, 'rev-parse', 'HEAD')
    // The client pushed again after a first attempt that moved no ref: that attempt gets no pipeline.
    const changes = [{ ref: 'refs/heads/main', before: '0'.repeat(40), after: head }]
    const row = {
      project_id: server.project.id,
      user_id: server.owner.id,
      changes: JSON.stringify(changes),
      options: '[]',
    }
    await server.database
      .insertInto('push')
      .values({ ...row, created_at: Date.now() })
      .execute()
    await server.database
      .insertInto('push')
      .values({ ...row, created_at: Date.now() - 2 * DAY })
      .execute()
    await finishInterruptedPushes(server)
    expect(server.pushed).toEqual([])
    expect(await server.database.selectFrom('push').selectAll().execute()).toHaveLength(1)
  })

  test('that can never be finished are set aside with one warning, and keep no other', async () => {
    const server = await startGitServer(open)
    const run = server.onPipeline.create
    server.onPipeline.create = () => Promise.reject(new Error('killed'))
    const tree = await workTree()
    await gitOk(tree, 'push', server.remote(), 'main', 'main:bad')
    await gitOk(tree, 'push', server.remote(), 'main:other')
    let attempts = 0
    server.onPipeline.create = (ref) => {
      if (ref.ref !== 'bad') return run(ref)
      attempts += 1
      return Promise.reject(new Error('never'))
    }
    const [error, warn] = [vi.spyOn(server.logger, 'error'), vi.spyOn(server.logger, 'warn')]
    for (let hour = 0; hour < 48; hour++)
      await finishInterruptedPushes(server, Date.now() + (hour * DAY) / 24)
    expect(server.pushed.map(({ ref }) => ref)).toEqual(['main', 'other'])
    expect(attempts).toBe(10)
    expect(error).not.toHaveBeenCalled()
    expect(warn.mock.calls).toMatchObject([
      [{ project: server.project.id, refs: ['refs/heads/bad'] }, expect.any(String)],
    ])
    const left = await server.database.selectFrom('push').selectAll().execute()
    expect(left).toMatchObject([{ attempts: 10, changes: [{ ref: 'refs/heads/bad' }] }])
  })

  test('of names that the file system refuses are deleted like all that moved nothing', async () => {
    const server = await startGitServer(open)
    const changes = [{ ref: `refs/heads/${'x'.repeat(300)}`, before: '0'.repeat(40), after: 'a'.repeat(40) }]
    const row = { project_id: server.project.id, user_id: server.owner.id, options: '[]', created_at: 0 }
    await server.database
      .insertInto('push')
      .values({ ...row, changes: JSON.stringify(changes) })
      .execute()
    await finishInterruptedPushes(server)
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  })
})
