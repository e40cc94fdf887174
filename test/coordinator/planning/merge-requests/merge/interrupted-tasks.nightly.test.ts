import { expect, test } from 'vitest'

import { finishInterruptedPushes } from '../../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { finishInterruptedMerges } from '../../../../../src/coordinator/planning/merge-requests/merge/finish-interrupted-merges.js'
import { pushDeps } from '../../../../../src/coordinator/start/services/push-deps.js'
import { pointsIn } from '../../../support/kill-points.js'
import { cutAtSqliteWrite } from '../../../support/statement-hooks.js'
import { mergeSceneForFile } from '../git-scene.js'

const openMergeScene = mergeSceneForFile()

const HOUR = 3600 * 1000
const CI = 'build: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

type Scene = Awaited<ReturnType<typeof openMergeScene>>

/** What a coordinator does after its start. */
async function restart({ services, work, refresh }: Scene): Promise<void> {
  const deps = pushDeps(services)
  await finishInterruptedPushes(deps, Date.now() + HOUR)
  await finishInterruptedMerges(deps, Date.now() + HOUR)
  await work()
  await refresh()
  await work()
}

async function openTasks({ database }: Scene): Promise<number> {
  return (await database.selectFrom('merge_request_task').select('id').execute()).length
}

test('an automatic merge that is killed before one of its writes is done once after the next start', async () => {
  const scene = await openMergeScene()
  const { P, commit, make, refresh, work, finishJobs, ok, call, show, git, database } = scene
  const passed = async (branch: string): Promise<number> => {
    // So many pipelines in one minute are refused.
    await database
      .updateTable('pipeline')
      .set({ created_at: Date.now() - HOUR })
      .execute()
    const files = { [`${branch}.txt`]: branch, '.gitlab-ci.yml': `${CI}# ${branch}\n` }
    await commit(files, { branch, from: 'main' })
    const { iid } = await make(branch)
    await refresh()
    const options = { merge_when_pipeline_succeeds: true, should_remove_source_branch: true }
    await ok(`PUT ${P}/merge_requests/${iid}/merge`, options)
    await work()
    await finishJobs('success')
    return iid
  }
  const merges = async () => Number(await git('rev-list', '--count', '--merges', 'main'))
  await passed('counted')
  const writes = await cutAtSqliteWrite(Infinity, work)
  expect(writes).toBeGreaterThan(10)
  for (const at of pointsIn(writes, { parts: 2, everyAtNight: true })) {
    const before = await merges()
    const iid = await passed(`topic-${at}`)
    await cutAtSqliteWrite(at, () => work().catch(() => undefined))
    await restart(scene)
    const { state, merge_error } = await show(iid)
    const notes = await ok<{ body: string }[]>(`GET ${P}/merge_requests/${iid}/notes?per_page=100`)
    const [branch] = await call(`GET ${P}/repository/branches/topic-${at}`)
    expect({
      at,
      state,
      merge_error,
      merges: await merges(),
      notes: notes.filter(({ body }) => body === 'merged').length,
      branch,
      tasks: await openTasks(scene),
    }).toEqual({
      at,
      state: 'merged',
      merge_error: null,
      merges: before + 1,
      notes: 1,
      branch: 404,
      tasks: 0,
    })
  }
})

test('a rebase that is killed before one of its writes is done after the next start', async () => {
  const scene = await openMergeScene()
  const { P, commit, make, refresh, work, ok, git } = scene
  const requested = async (branch: string): Promise<number> => {
    await commit({ [`${branch}.txt`]: branch }, { branch, from: 'main' })
    const { iid } = await make(branch)
    await commit({ 'main.txt': branch }, { branch: 'main' })
    await refresh()
    await ok(`PUT ${P}/merge_requests/${iid}/rebase`)
    return iid
  }
  await requested('counted')
  const writes = await cutAtSqliteWrite(Infinity, work)
  expect(writes).toBeGreaterThan(5)
  for (const at of pointsIn(writes, { everyAtNight: true })) {
    const iid = await requested(`topic-${at}`)
    await cutAtSqliteWrite(at, () => work().catch(() => undefined))
    await restart(scene)
    const row = await ok(`GET ${P}/merge_requests/${iid}?include_rebase_in_progress=true`)
    expect(await git('rev-parse', `topic-${at}^`)).toBe(await git('rev-parse', 'main'))
    expect({
      at,
      isRunning: row['rebase_in_progress'],
      error: row['merge_error'],
      sha: row.sha,
      tasks: await openTasks(scene),
    }).toEqual({
      at,
      isRunning: false,
      error: null,
      sha: await git('rev-parse', `topic-${at}`),
      tasks: 0,
    })
  }
})
