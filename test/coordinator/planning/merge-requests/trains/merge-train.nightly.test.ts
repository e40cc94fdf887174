import { expect, test } from 'vitest'

import type { Database } from '../../../../../src/coordinator/database/connect.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { trainSceneForFile } from './train-scene.js'

const openTrain = trainSceneForFile()

test('with one pipeline at a time, a batch that fails is halved', async () => {
  const { ok, ready, add, drive, test: finish, show, database, P } = await openTrain()
  await ok(`PUT ${P}`, { merge_trains_limit: 1 })
  const iids = []
  for (const name of ['one', 'two', 'broken', 'four']) iids.push(await ready(name, { [name]: name }))
  const before = await count(database)
  for (const iid of iids) await add(iid)
  await drive()
  while ((await finish()) > 0) await drive()
  const states = await Promise.all(iids.map(async (iid) => (await show(iid)).state))
  expect(states).toEqual(['merged', 'merged', 'opened', 'merged'])
  expect((await count(database)) - before).toBeLessThanOrEqual(4 + Math.log2(4))
})

test('a merge request that is added again in another way is merged in that way', async () => {
  const { ready, add, drive, test: finish, cars, git } = await openTrain()
  const iid = await ready('one', { one: '1' })
  await add(iid)
  await drive()
  const [first] = await cars()
  expect((await add(iid))[0]).toBe(201)
  expect(await cars()).toMatchObject([{ id: first!.id }])
  expect((await add(iid, { squash: true }))[0]).toBe(201)
  await drive()
  while ((await finish()) > 0) await drive()
  const merged = await cars()
  expect(merged).toMatchObject([{ status: 'merged', pipeline: { status: 'success' } }])
  expect(merged[0]!.id).not.toBe(first!.id)
  expect(await git('log', '--format=%s', '--max-count=1', 'main^2')).toBe('Add one')
})

describeOnEachDatabase('merge trains', (open) => {
  test('two coordinators that move the same train merge it as one would', async () => {
    const { ready, add, drive, test: finish, show, isBad, git, database } = await openTrain(open)
    const iids = []
    for (const name of ['one', 'two', 'broken', 'four']) iids.push(await ready(name, { [name]: name }))
    const before = await count(database)
    for (const iid of iids) await add(iid)
    const driveTwice = () => Promise.all([drive(), drive()])
    await driveTwice()
    while ((await finish()) > 0) {
      await driveTwice()
      expect(await isBad('main')).toBe(false)
    }
    const states = await Promise.all(iids.map(async (iid) => (await show(iid)).state))
    expect(states).toEqual(['merged', 'merged', 'opened', 'merged'])
    expect(await git('rev-list', '--count', '--merges', 'main')).toBe('3')
    expect((await count(database)) - before).toBeLessThanOrEqual(4 + Math.log2(4))
  })
})

async function count(database: Database): Promise<number> {
  return (await database.selectFrom('pipeline').select('id').execute()).length
}
