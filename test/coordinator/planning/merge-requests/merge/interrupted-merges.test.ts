import { expect, test } from 'vitest'

import { finishInterruptedPushes } from '../../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { finishInterruptedMerges } from '../../../../../src/coordinator/planning/merge-requests/merge/finish-interrupted-merges.js'
import { sampled } from '../../../../support/nightly.js'
import { cutAtSqliteWrite } from '../../../support/statement-hooks.js'
import { type MergeableBranches, mergeableBranchesForFile } from './mergeable-branches.js'

const openMergeableBranches = mergeableBranchesForFile()

const HOUR = 3600 * 1000

/** What a coordinator does after its start. */
async function restart(api: MergeableBranches): Promise<void> {
  await finishInterruptedPushes(api, Date.now() + HOUR)
  await finishInterruptedMerges(api, Date.now() + HOUR)
}

async function effects(api: MergeableBranches, id: number) {
  const events = await api.database.selectFrom('hook_event').select('id').execute()
  return {
    state: (await api.row(id)).state,
    merges: await api.git('rev-list', '--count', '--merges', 'main'),
    pipelines: api.pushed.length,
    events: events.length,
    tasks: (await api.database.selectFrom('merge_request_task').selectAll().execute()).length,
    pushes: (await api.database.selectFrom('push').selectAll().execute()).length,
  }
}

test('a merge that is killed before any of its writes has all effects after the next start, or none', async () => {
  const api = await openMergeableBranches()
  const hook = { url: 'http://example.com/hook', push_events: true, merge_requests_events: true }
  expect((await api.call('POST /hooks', hook)).statusCode).toBe(201)
  const options = { should_remove_source_branch: true }
  const counted = await api.open('counted')
  const writes = await cutAtSqliteWrite(Infinity, () => api.merge(counted, options))
  expect(writes).toBeGreaterThan(10)
  await api.database.deleteFrom('merge_request_task').execute()
  let completed = 0
  const points = sampled(
    Array.from({ length: writes }, (_, index) => index + 1),
    6,
  )
  for (const at of points) {
    const row = await api.open(`topic-${at}`)
    const before = await effects(api, row.id)
    await cutAtSqliteWrite(at, () => api.merge(row, options).catch(() => undefined))
    await restart(api)
    const after = await effects(api, row.id)
    const isMerged = after.merges !== before.merges
    const all = { ...before, state: 'merged', merges: `${Number(before.merges) + 1}` }
    const done = {
      ...all,
      pipelines: before.pipelines + 1,
      events: before.events + 2,
      // The branch is deleted, and environments stop.
      tasks: before.tasks + 2,
    }
    expect({ at, ...after, pushes: 0 }).toEqual({ at, ...(isMerged ? done : before), pushes: 0 })
    if (isMerged) completed += 1
    else expect((await api.merge(await api.row(row.id), options)).state).toBe('merged')
  }
  expect(completed).toBeGreaterThan(0)
  expect(completed).toBeLessThan(points.length)
})

test('a merge that runs is not unlocked', async () => {
  const api = await openMergeableBranches()
  const row = await api.open('topic', { state: 'locked', in_progress_merge_sha: 'a'.repeat(40) })
  await finishInterruptedMerges(api)
  expect((await api.row(row.id)).state).toBe('locked')
  await finishInterruptedMerges(api, Date.now() + HOUR)
  const { state, merge_error } = await api.row(row.id)
  expect({ state, merge_error }).toEqual({
    state: 'opened',
    merge_error: 'Merge failed: the service was interrupted. Please try again.',
  })
})
