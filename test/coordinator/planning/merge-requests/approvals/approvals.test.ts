import { expect, test } from 'vitest'

import { sceneForFile } from '../../../../support/scene-for-file.js'
import type { Person } from '../../../support/test-app.js'
import { openMergeScene } from '../git-scene.js'
import { openMergeRequestScene } from '../scene.js'

const UNAUTHORIZED = [401, { message: '401 Unauthorized' }]

const openApi = sceneForFile(openMergeRequestScene)

async function openScene() {
  const scene = await openApi()
  const { ok, call, person, make, P } = scene
  const author = await person('author', P, 30)
  await make({}, author)
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    M,
    author,
    dev: await person('dev', P, 30),
    other: await person('other', P, 30),
    reporter: await person('reporter', P, 20),
    approve: (as: Person, body: object = {}) => call(`POST ${M}/approve`, body, as),
    approvals: (as?: Person) => ok(`GET ${M}/approvals`, undefined, as),
  }
}

test('developers approve a merge request, once each, and take their approval back', async () => {
  const { call, ok, approve, approvals, dev, other, reporter, author, P, M } = await openScene()
  await ok(`PUT ${P}`, { approvals_before_merge: 2 })
  expect(await approvals(dev)).toMatchObject({
    approved: false,
    approvals_required: 2,
    approvals_left: 2,
    approved_by: [],
    user_has_approved: false,
    user_can_approve: true,
  })
  expect(await approve(dev)).toMatchObject([201, { approvals_left: 1, user_has_approved: true }])
  expect(await approve(dev)).toEqual(UNAUTHORIZED)
  expect(await approve(reporter)).toEqual(UNAUTHORIZED)
  expect(await approve(author)).toEqual(UNAUTHORIZED)
  expect(await approve(other)).toMatchObject([201, { approved: true, approvals_left: 0 }])
  expect(await approvals()).toMatchObject({
    approved_by: [{ user: { username: 'dev' } }, { user: { username: 'other' } }],
  })
  expect((await call(`POST ${M}/unapprove`, {}, dev))[1]).toMatchObject({ approved: false })
  expect((await call(`POST ${M}/unapprove`, {}, dev))[0]).toBe(404)
  const notes = await ok<{ body: string }[]>(`GET ${M}/notes?sort=asc`)
  expect(notes.map(({ body }) => body)).toEqual([
    'approved this merge request',
    'approved this merge request',
    'unapproved this merge request',
  ])
})

test('a project lets authors approve, and bots and developers remove all approvals', async () => {
  const { ok, call, approve, approvals, author, dev, reporter, P, M } = await openScene()
  expect(await ok(`GET ${P}/approvals`)).toEqual({
    approvals_before_merge: 0,
    reset_approvals_on_push: true,
    merge_requests_author_approval: false,
    disable_overriding_approvers_per_merge_request: false,
  })
  expect((await call(`POST ${P}/approvals`, { approvals_before_merge: 1 }, dev))[0]).toBe(403)
  const settings = { approvals_before_merge: 1, merge_requests_author_approval: true }
  expect(await ok(`POST ${P}/approvals`, settings)).toMatchObject(settings)
  expect((await approve(author))[0]).toBe(201)
  expect((await call(`PUT ${M}/reset_approvals`, {}, reporter))[0]).toBe(403)
  expect((await call(`PUT ${M}/reset_approvals`, {}, dev))[0]).toBe(202)
  expect(await approvals()).toMatchObject({ approved_by: [], approvals_left: 1 })
})

test('missing approvals keep a merge request from being merged, and a push removes those that there are', async () => {
  const { ok, call, show, commit, make, refresh, person, P } = await openMergeScene()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  await ok(`PUT ${P}`, { approvals_before_merge: 1 })
  const head = await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { reviewer_ids: [bea.id] })
  await refresh()
  const M = `${P}/merge_requests/1`
  expect(await show(1)).toMatchObject({ detailed_merge_status: 'not_approved' })
  expect((await call(`PUT ${M}/merge`))[0]).toBe(405)
  expect((await call(`POST ${M}/approve`, { sha: '1'.repeat(40) }, bea))[0]).toBe(409)
  await ok(`POST ${M}/approve`, { sha: head }, bea)
  expect(await ok(`GET ${M}/reviewers`)).toMatchObject([{ user: { username: 'bea' }, state: 'approved' }])
  expect(await show(1)).toMatchObject({ detailed_merge_status: 'mergeable' })
  await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  await refresh()
  expect(await show(1)).toMatchObject({ detailed_merge_status: 'not_approved' })
  expect(await ok(`GET ${M}/reviewers`)).toMatchObject([{ state: 'unapproved' }])
  await ok(`POST ${P}/approvals`, { reset_approvals_on_push: false })
  await ok(`POST ${M}/approve`, {}, bea)
  await commit({ 'd.txt': 'd' }, { branch: 'topic' })
  await refresh()
  expect((await call(`PUT ${M}/merge`))[0]).toBe(200)
  expect(await call(`POST ${M}/unapprove`, {}, bea)).toEqual(UNAUTHORIZED)
})

test('participants are subscribed, and everybody who sees it may subscribe', async () => {
  const { call, ok, author, dev, M } = await openScene()
  expect((await call(`POST ${M}/subscribe`, {}, author))[0]).toBe(304)
  expect(await call(`POST ${M}/unsubscribe`, {}, author)).toMatchObject([201, { subscribed: false }])
  expect(await call(`POST ${M}/subscribe`, {}, dev)).toMatchObject([201, { subscribed: true }])
  expect((await call(`POST ${M}/subscribe`, {}, dev))[0]).toBe(304)
  await ok(`PUT ${M}`, { assignee_ids: [dev.id] })
  expect(await ok(`GET ${M}/participants`)).toMatchObject([{ username: 'author' }, { username: 'dev' }])
})

test('has an estimate and the time that was spent', async () => {
  const { call, ok, reporter, P, M, person } = await openScene()
  expect(await ok(`POST ${M}/time_estimate`, { duration: '3h30m' }, reporter)).toMatchObject({
    human_time_estimate: '3h 30m',
  })
  expect(await call(`POST ${M}/add_spent_time`, { duration: '1h' })).toMatchObject([
    201,
    { total_time_spent: 3600 },
  ])
  await ok(`POST ${M}/add_spent_time`, { duration: '-30m' })
  expect(await ok(`GET ${M}/time_stats`)).toMatchObject({ total_time_spent: 1800, time_estimate: 12_600 })
  expect((await call(`POST ${M}/add_spent_time`, { duration: '-1h' }))[0]).toBe(400)
  expect((await call(`POST ${M}/time_estimate`, { duration: 'soon' }))[0]).toBe(400)
  await ok(`POST ${M}/reset_time_estimate`)
  expect(await ok(`POST ${M}/reset_spent_time`)).toMatchObject({ total_time_spent: 0, time_estimate: 0 })
  const guest = await person('guest', P, 10)
  expect((await call(`POST ${M}/time_estimate`, { duration: '1h' }, guest))[0]).toBe(403)
})
