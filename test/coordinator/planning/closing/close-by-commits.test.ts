import { expect, test } from 'vitest'

import { finishInterruptedPushes } from '../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import { pushDeps } from '../../../../src/coordinator/start/services/push-deps.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import type { Person } from '../../support/test-app.js'
import { openPlanningScene, planningSceneForFile, type PlanningSceneOptions } from '../support.js'

const sharedScene = planningSceneForFile()

interface Issue {
  iid: number
  state: string
  closed_at: string | null
  closed_by: { username: string } | null
}

interface Change {
  branch?: string
  start_branch?: string
  as?: Person
}

async function openScene(open: OpenDatabase, options?: PlanningSceneOptions) {
  const scene = await (options ? openPlanningScene(open, options) : sharedScene(open))
  const { ok, P, secret } = scene
  let files = 0
  /** Commits a new file with a message. */
  const push = async (commit_message: string, { as, branch = 'main', ...more }: Change = {}, at = P) => {
    const actions = [{ action: 'create', file_path: `file-${(files += 1)}`, content: 'x' }]
    await ok(`POST ${at}/repository/commits`, { branch, commit_message, actions, ...more }, as)
  }
  await push('First')
  await push('First', {}, secret)
  for (const title of ['One', 'Two', 'Three']) {
    await ok(`POST ${P}/issues`, { title })
    await ok(`POST ${secret}/issues`, { title })
  }
  const issues = (at = P) => ok<Issue[]>(`GET ${at}/issues?sort=asc`)
  const closed = async (at = P) =>
    (await issues(at)).filter(({ state }) => state === 'closed').map(({ iid }) => iid)
  return { ...scene, push, issues, closed }
}

describeOnDatabase('a commit that says so', (open) => {
  test('closes issues when it is pushed to the default branch', async () => {
    const { ok, push, issues, closed, person, database, P } = await openScene(open)
    const hook = { url: 'https://hooks.test/', issues_events: true }
    await ok(`POST ${P}/hooks`, hook)
    const ann = await person('ann', P, 40)
    await push('Change a\n\nCloses #1 and #3', { as: ann })
    const by = expect.objectContaining({ username: 'ann' }) as unknown
    const time = expect.stringMatching(/Z$/) as unknown
    expect(await issues()).toMatchObject([
      { iid: 1, state: 'closed', closed_by: by, closed_at: time },
      { iid: 2, state: 'opened', closed_by: null, closed_at: null },
      { iid: 3, state: 'closed', closed_by: by },
    ])
    const events = await database.selectFrom('hook_event').selectAll().execute()
    expect(events.filter(({ facts }) => JSON.stringify(facts).includes('"close"'))).toHaveLength(2)

    await ok(`PUT ${P}/issues/1`, { state_event: 'reopen' })
    await push('Another change')
    expect(await closed()).toEqual([3])
  })

  testAtNight('closes none from another branch until it is in the default branch', async () => {
    const { ok, push, closed, P } = await openScene(open)
    await push('Fixes #2', { branch: 'topic', start_branch: 'main' })
    expect(await closed()).toEqual([])
    await ok(`POST ${P}/repository/branches`, { branch: 'other', ref: 'topic' })
    expect(await closed()).toEqual([])
  })

  test('closes issues of other projects, as far as its author may', async () => {
    const { ok, push, closed, person, P, secret } = await openScene(open)
    const developer = await person('developer', P, 30)
    await ok(`DELETE ${P}/protected_branches/main`)
    await push('Closes secret#1, team/secret#2', { as: developer })
    expect(await closed(secret)).toEqual([])
    await ok(`POST ${secret}/members`, { user_id: developer.id, access_level: 10 })
    await ok(`POST ${secret}/issues`, { title: 'Own' }, developer)
    await push('Closes secret#1, team/secret#4', { as: developer })
    expect(await closed(secret)).toEqual([4])
    await ok(`PUT ${secret}/members/${developer.id}`, { access_level: 20 })
    await ok(`PUT ${secret}`, { autoclose_referenced_issues: false })
    await push('Closes secret#1', { as: developer })
    expect(await closed(secret)).toEqual([4])
    await ok(`PUT ${secret}`, { autoclose_referenced_issues: true })
    await push('Closes secret#1', { as: developer })
    expect(await closed(secret)).toEqual([1, 4])
  })

  testAtNight(
    'closes each issue once, also if the first attempt to complete the push is killed',
    async () => {
      let isKilled = true
      const { push, closed, services, database, ok, P } = await openScene(open, {
        pushesOf: (all) => {
          const pushes = pushDeps(all)
          return {
            ...pushes,
            prepareMoved: async (moved) => {
              const effects = await pushes.prepareMoved?.(moved)
              return (
                effects &&
                (async (tx) => {
                  await effects(tx)
                  if (isKilled) throw new Error('killed')
                })
              )
            },
          }
        },
      })
      await ok(`POST ${P}/hooks`, { url: 'https://hooks.test/', issues_events: true })
      await push('Closes #1')
      expect(await closed()).toEqual([])
      isKilled = false
      const times = [0, 1]
      for (const time of times) await finishInterruptedPushes(pushDeps(services), Date.now() + time * 60_000)
      expect(await closed()).toEqual([1])
      const events = await database.selectFrom('hook_event').selectAll().execute()
      expect(events.filter(({ facts }) => JSON.stringify(facts).includes('"close"'))).toHaveLength(1)
    },
  )
})
