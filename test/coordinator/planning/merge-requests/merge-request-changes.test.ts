import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'
import { mergeSceneForFile, withLine } from './git-scene.js'

const openMergeScene = mergeSceneForFile()

const CI_FILE = 'build: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

test('every change of a merge request is recorded among its notes', async () => {
  const { ok, commit, make, refresh, person, P } = await openMergeScene()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  await ok(`POST ${P}/repository/branches`, { branch: 'next', ref: 'main' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  for (const change of [
    { title: 'Draft: Other' },
    { target_branch: 'next' },
    { labels: 'bug', assignee_ids: [bea.id], reviewer_ids: [bea.id] },
    { discussion_locked: true },
    { title: 'Other', description: 'Text' },
    { state_event: 'close' },
    { state_event: 'reopen' },
  ]) {
    await ok(`PUT ${M}`, change)
  }
  const head = await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  await refresh()
  await ok(`PUT ${M}/merge`)
  const notes = await ok<{ body: string; system: boolean }[]>(`GET ${M}/notes?sort=asc&per_page=100`)
  expect(notes.every(({ system }) => system)).toBe(true)
  expect(notes.map(({ body }) => body)).toEqual([
    'changed title from **New** to **Draft: Other**',
    'marked this merge request as **draft**',
    'changed target branch from `main` to `next`',
    'added ~bug label',
    'assigned to @bea',
    'requested review from @bea',
    'locked the discussion in this merge request',
    'changed title from **Draft: Other** to **Other**',
    'changed the description',
    'marked this merge request as **ready**',
    'closed',
    'reopened',
    `pushed to the source branch: ${head}`,
    'merged',
  ])
})

testAtNight(
  'its author has something to do when its pipeline has failed or its branches conflict, until that is mended',
  async () => {
    const { ok, commit, make, refresh, finishJobs, retry } = await openMergeScene()
    const todos = async () =>
      (await ok<{ action_name: string }[]>('GET /todos')).map(({ action_name }) => action_name)
    await commit(
      { 'a.txt': withLine(1, 'topic'), '.gitlab-ci.yml': CI_FILE },
      { branch: 'topic', from: 'main' },
    )
    await make('topic')
    await refresh()
    await finishJobs('failed')
    expect(await todos()).toEqual(['build_failed'])
    await commit({ 'c.txt': 'c' }, { branch: 'topic' })
    await refresh()
    expect(await todos()).toEqual([])
    await finishJobs('failed')
    expect(await todos()).toEqual(['build_failed'])
    await retry()
    await finishJobs('success')
    expect(await todos()).toEqual([])
    await commit({ 'a.txt': withLine(1, 'main') }, { branch: 'main' })
    await refresh()
    expect(await todos()).toEqual(['unmergeable'])
    await commit({ 'a.txt': withLine(1, 'line 1') }, { branch: 'main' })
    await refresh()
    expect(await todos()).toEqual([])
  },
)
