import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import type { ProjectCache } from '../../../../src/coordinator/ci/caches/schema.js'
import { ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

async function openCaches() {
  const coordinator = await openCoordinator()
  const { app, admin, project, caches, database } = coordinator
  const save = (key: string, isProtected = false) =>
    caches.save({ projectId: project.id, isProtected, key }, undefined, Readable.from(['bytes']))
  const call = (route: string) => app.call(admin, route.replace(' ', ` /projects/${project.id}`))
  const list = async () => (await call('GET /caches')).json<ProjectCache[]>()
  return { ...coordinator, database, save, call, list }
}

test('the caches of a project are listed, the last used ones first', async () => {
  const { save, list, database } = await openCaches()
  const old = await save('old')
  await database.updateTable('cache_archive').set({ used_at: 1000 }).execute()
  await save('new', true)
  expect(await list()).toMatchObject([
    { key: 'new', protected: true, size: 5 },
    { id: old.id, key: 'old', protected: false, used_at: '1970-01-01T00:00:01.000Z' },
  ])
})

test('one cache is deleted with its bytes, and only by its project', async () => {
  const { save, list, call, caches } = await openCaches()
  const [one] = [await save('one'), await save('two')]
  expect((await call(`DELETE /caches/${one.id}`)).statusCode).toBe(204)
  expect((await list()).map(({ key }) => key)).toEqual(['two'])
  await expect(caches.open(one)).rejects.toThrow()
  expect((await call(`DELETE /caches/${one.id}`)).statusCode).toBe(404)
})

test('clearing deletes all caches, and gives later jobs other keys, for caches of runners', async () => {
  const coordinator = await openCaches()
  const { save, list, call } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const keyOfNextJob = async () => {
    await pushPipeline(coordinator, 'a: { script: [x], cache: { key: k, paths: [p] } }')
    return (await runner.takeJob()).cache?.[0]?.key
  }
  expect(await keyOfNextJob()).toBe('k-non_protected')
  await save('one')
  await save('two', true)
  expect((await call('DELETE /caches')).statusCode).toBe(204)
  expect(await list()).toEqual([])
  expect(await keyOfNextJob()).toBe('k-1-non_protected')
})
