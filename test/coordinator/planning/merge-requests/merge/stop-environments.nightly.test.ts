import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../../support/databases.js'
import { mergeSceneForFile } from '../git-scene.js'

const openMergeScene = mergeSceneForFile()

const CI_FILE = `
workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }
review: { script: x, environment: { name: review, on_stop: stop } }
stop: { script: x, when: manual, environment: { name: review, action: stop } }
`

type Scene = Awaited<ReturnType<typeof openMergeScene>>

/** The scene with a merge request whose pipeline has deployed the environment `review`. */
async function openDeployed(scene: Scene) {
  const { commit, make, refresh, finishJobs, database } = scene
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  await finishJobs('success')
  return {
    ...scene,
    change: (event: 'close' | 'reopen', as = scene.ada) =>
      scene.ok(`PUT ${scene.P}/merge_requests/1`, { state_event: event }, as),
    stateOfEnvironment: async () =>
      (await database.selectFrom('environment').select('state').executeTakeFirstOrThrow()).state,
    /** The users as whom stop jobs wait for a runner. */
    stoppedAs: async () => {
      const jobs = database.selectFrom('job').select('user_id').where('name', '=', 'stop')
      return (await jobs.where('status', '=', 'pending').execute()).map(({ user_id }) => user_id)
    },
  }
}

describeOnDatabase('environments of a merge request', (open) => {
  test('stop when it is closed, as the user who closes it', async () => {
    const scene = await openDeployed(await openMergeScene(open))
    const { P, ok, person, change, work, stateOfEnvironment, stoppedAs, finishJobs } = scene
    const bob = await person('bob')
    await ok(`POST ${P}/members`, { user_id: bob.id, access_level: 30 })
    await change('close', bob)
    await work()
    expect(await stateOfEnvironment()).toBe('stopping')
    expect(await stoppedAs()).toEqual([bob.id])
    await finishJobs('success')
    expect(await stateOfEnvironment()).toBe('stopped')
  })
})

test('environments of a merge request stop when it is merged', async () => {
  const { P, ok, work, ada, stateOfEnvironment, stoppedAs } = await openDeployed(await openMergeScene())
  await ok(`PUT ${P}/merge_requests/1/merge`)
  await work()
  expect(await stateOfEnvironment()).toBe('stopping')
  expect(await stoppedAs()).toEqual([ada.id])
})

test('environments of a merge request stop when a push has merged it, as the user who pushed', async () => {
  const scene = await openDeployed(await openMergeScene())
  const { push, git, refresh, work, show, ada, stoppedAs } = scene
  await push({ main: await git('rev-parse', 'topic') })
  await refresh()
  await work()
  expect(await show(1)).toMatchObject({ state: 'merged' })
  expect(await stoppedAs()).toEqual([ada.id])
})

test('environments of a merge request stay when it is open again before they stop', async () => {
  const { change, work, stateOfEnvironment } = await openDeployed(await openMergeScene())
  await change('close')
  await change('reopen')
  await work()
  expect(await stateOfEnvironment()).toBe('available')
})

test('environments of a merge request stay if the user who closes it has lost the right to run jobs', async () => {
  const scene = await openDeployed(await openMergeScene())
  const { P, ok, person, change, work, stateOfEnvironment } = scene
  const bob = await person('bob')
  await ok(`POST ${P}/members`, { user_id: bob.id, access_level: 30 })
  await change('close', bob)
  await ok(`PUT ${P}/members/${bob.id}`, { access_level: 20 })
  await work()
  expect(await stateOfEnvironment()).toBe('available')
})

test('the refs of a merge request are deleted with it', async () => {
  const { ok, commit, make, refresh, git, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await commit({ 'c.txt': 'c' }, { branch: 'other', from: 'main' })
  await make('other')
  await refresh()
  await ok(`DELETE ${P}/merge_requests/1`)
  const refs = await git('for-each-ref', '--format=%(refname)', 'refs/merge-requests/')
  expect(refs.split('\n')).toEqual(['refs/merge-requests/2/head', 'refs/merge-requests/2/merge'])
})
