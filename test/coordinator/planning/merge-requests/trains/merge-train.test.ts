import { expect, test } from 'vitest'

import { trainSceneForFile } from './train-scene.js'

const openTrain = trainSceneForFile()

test('of three merge requests, the one that breaks leaves with a note, and the others are merged', async () => {
  const { ready, add, drive, test: finish, cars, notes, show, git, isBad, database } = await openTrain()
  const first = await ready('first', { 'old-name': '1' })
  const second = await ready('second', { 'new-name': '2' })
  const third = await ready('third', { third: '3' })
  for (const iid of [first, second, third]) expect((await add(iid))[0]).toBe(201)
  await drive()
  expect((await cars('?scope=active&sort=asc')).map(({ status }) => status)).toEqual([
    'fresh',
    'fresh',
    'fresh',
  ])
  while ((await finish()) > 0) {
    await drive()
    expect(await isBad('main')).toBe(false)
  }
  expect(await Promise.all([first, second, third].map(async (iid) => (await show(iid)).state))).toEqual([
    'merged',
    'opened',
    'merged',
  ])
  expect(await notes(second)).toContainEqual(
    expect.stringMatching(
      /^removed this merge request from the merge train because its pipeline #\d+ has failed$/,
    ),
  )
  expect(await git('ls-tree', '--name-only', 'main')).toBe('.gitlab-ci.yml\na.txt\nold-name\nthird')
  expect(await cars()).toMatchObject([
    { status: 'merged', target_branch: 'main', merge_request: { iid: third, state: 'merged' } },
    { status: 'merged', merge_request: { iid: first } },
  ])
  const passed = await database
    .selectFrom('pipeline')
    .select('status')
    .where('sha', '=', await git('rev-parse', 'main'))
    .execute()
  expect(passed).toEqual([{ status: 'success' }])
})
