import { expect, test } from 'vitest'

import { describeOnEachDatabase } from '../../../../support/databases.js'
import { trainSceneForFile } from './train-scene.js'

const openTrain = trainSceneForFile()

describeOnEachDatabase('merge trains', (open) => {
  test('two coordinators that move the same train merge it as one would', async () => {
    const { ready, add, drive, test: finish, show, isBad, git, database } = await openTrain(open)
    const iids = []
    for (const name of ['one', 'two', 'broken', 'four']) iids.push(await ready(name, { [name]: name }))
    const count = async () => (await database.selectFrom('pipeline').select('id').execute()).length
    const before = await count()
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
    expect((await count()) - before).toBeLessThanOrEqual(4 + Math.log2(4))
  })
})
