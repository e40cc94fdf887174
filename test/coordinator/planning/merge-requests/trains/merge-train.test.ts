import { expect, test } from 'vitest'

import type { Database } from '../../../../../src/coordinator/database/connect.js'
import { finishInterruptedPushes } from '../../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { finishInterruptedMerges } from '../../../../../src/coordinator/planning/merge-requests/merge/finish-interrupted-merges.js'
import { testAtNight } from '../../../../support/nightly.js'
import { cutAtSqliteWrite } from '../../../support/statement-hooks.js'
import { trainSceneForFile } from './train-scene.js'

const HOUR = 3600 * 1000

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

testAtNight(
  'a push to the target rebuilds the train, and a merge request that must not be merged leaves it',
  async () => {
    const {
      ok,
      call,
      ready,
      add,
      drive,
      test: finish,
      cars,
      notes,
      show,
      commit,
      refresh,
      git,
      isBad,
      ...scene
    } = await openTrain()
    const { P, database } = scene
    const iids = []
    for (const name of ['one', 'pushed', 'closed', 'canceled', 'draft', 'six'])
      iids.push(await ready(name, { [name]: name }))
    for (const iid of iids) await add(iid)
    await drive()
    const [first] = await cars('?scope=active&sort=asc')
    const pushed = await commit({ direct: 'x' }, { branch: 'main' })
    await commit({ more: 'x' }, { branch: 'pushed' })
    await ok(`PUT ${P}/merge_requests/${iids[2]}`, { state_event: 'close' })
    await ok(`POST ${P}/merge_requests/${iids[3]}/cancel_merge_when_pipeline_succeeds`)
    await ok(`PUT ${P}/merge_requests/${iids[4]}`, { title: 'Draft: not yet' })
    await refresh()
    await drive()
    expect(await statusOf(database, first!.pipeline!.id)).toBe('canceled')
    expect(await cars('?scope=active&sort=asc')).toMatchObject([
      { merge_request: { iid: iids[0] }, status: 'fresh' },
      { merge_request: { iid: iids[5] }, status: 'fresh' },
    ])
    const REMOVED = 'removed this merge request from the merge train'
    const reasons = [
      `${REMOVED} because the source branch was updated`,
      `${REMOVED} because it was closed`,
      REMOVED,
      `${REMOVED} because the merge request was marked as a draft`,
    ]
    for (const [index, reason] of reasons.entries()) expect(await notes(iids[index + 1]!)).toContain(reason)
    expect((await call(`GET ${P}/merge_trains/merge_requests/${iids[3]}`))[0]).toBe(404)
    while ((await finish()) > 0) await drive()
    expect([(await show(iids[0]!)).state, (await show(iids[5]!)).state]).toEqual(['merged', 'merged'])
    expect(await git('merge-base', '--is-ancestor', pushed, 'main')).toBe('')
    expect(await isBad('main')).toBe(false)
  },
)

test('a merge request leaves the train once approvals are missing, or its user may not merge any more', async () => {
  const { ok, ready, add, drive, test: finish, notes, show, person, P } = await openTrain()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 40 })
  const [mine, hers] = [await ready('one', { one: '1' }), await ready('two', { two: '2' })]
  await add(mine)
  await add(hers, {}, bea)
  await drive()
  await finish()
  await ok(`PUT ${P}/members/${bea.id}`, { access_level: 20 })
  await ok(`POST ${P}/approvals`, { approvals_before_merge: 1 })
  await drive()
  expect([(await show(mine)).state, (await show(hers)).state]).toEqual(['opened', 'opened'])
  const REMOVED = 'removed this merge request from the merge train because'
  expect(await notes(mine)).toContain(`${REMOVED} approvals are missing`)
  expect(await notes(hers)).toContain(`${REMOVED} the user who has added it may not merge any more`)
})

testAtNight('a project whose history is linear gets the commits rebased', async () => {
  const { ok, ready, add, drive, test: finish, show, git, P } = await openTrain()
  await ok(`PUT ${P}`, { merge_method: 'ff' })
  const iids = [await ready('one', { one: '1' }), await ready('two', { two: '2' })]
  for (const iid of iids) await add(iid)
  await drive()
  while ((await finish()) > 0) await drive()
  expect(await Promise.all(iids.map(async (iid) => (await show(iid)).state))).toEqual(['merged', 'merged'])
  expect(await git('log', '--format=%s', '--max-count=2', 'main')).toBe('Change two\nChange one')
  expect(await git('rev-list', '--count', '--merges', 'main')).toBe('0')
})

testAtNight('a train that is killed before any of its writes goes on after the next start', async () => {
  const scene = await openTrain()
  const { ready, add, drive, test: finish, show, isBad, deps } = scene
  const restart = async () => {
    await finishInterruptedPushes(deps.pushes, Date.now() + HOUR)
    await finishInterruptedMerges(deps.pushes, Date.now() + HOUR)
  }
  const iids = []
  for (const name of ['one', 'broken', 'three']) iids.push(await ready(name, { [name]: name }))
  for (const iid of iids) await add(iid)
  for (let at = 1, idle = 0; idle < 2; at += 1) {
    const writes = await cutAtSqliteWrite(1 + ((at * 5) % 23), () => drive().catch(() => undefined))
    await restart()
    expect(await isBad('main')).toBe(false)
    const ended = await finish()
    idle = ended === 0 && writes === 0 ? idle + 1 : 0
    expect(at).toBeLessThan(60)
  }
  await scene.wake()
  await drive()
  expect(await Promise.all(iids.map(async (iid) => (await show(iid)).state))).toEqual([
    'merged',
    'opened',
    'merged',
  ])
})

async function statusOf(database: Database, pipelineId: number): Promise<string> {
  const pipelines = database.selectFrom('pipeline').select('status')
  return (await pipelines.where('id', '=', pipelineId).executeTakeFirstOrThrow()).status
}
