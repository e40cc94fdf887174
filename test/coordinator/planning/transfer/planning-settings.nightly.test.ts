import { expect, test } from 'vitest'

import type { Project, User } from '../../../../src/coordinator/access/caller.js'
import { protectBranch } from '../../../../src/coordinator/hosting/protected-refs/protected-refs.js'
import { GIVEN_UP_AFTER } from '../../../../src/coordinator/integrations/webhooks/hook-health.js'
import { createMergeRequestRule } from '../../../../src/coordinator/planning/merge-requests/approvals/merge-request-rules.js'
import { transferParts } from '../../../../src/coordinator/start/services/archive-parts.js'
import { planningSceneForFile } from '../support/planning-scene.js'

const openPlanning = planningSceneForFile()
const PARTS = [
  'boards',
  'protected_branches',
  'approval_rules',
  'merge_request_approval_rules',
  'external_status_checks',
]

async function openScene() {
  const scene = await openPlanning()
  const { database, services } = scene
  const parts = transferParts(services).filter(({ name }) => PARTS.includes(name))
  const projectWith = (id: number): Promise<Project> =>
    database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const userNamed = (username: string): Promise<User> =>
    database.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
  const recordsOf = async (id: number) => {
    const records: Record<string, object[]> = {}
    for (const { name, read } of parts) {
      records[name] = []
      for await (const record of read(await projectWith(id))) records[name].push(record)
    }
    return records
  }
  const write = async (name: string, record: object, importer = 'root') => {
    const target = { project: await projectWith(scene.other), importer: await userNamed(importer) }
    const part = parts.find((each) => each.name === name)
    await part?.write(target, JSON.parse(JSON.stringify(record)))
  }
  return { ...scene, projectWith, userNamed, recordsOf, write }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** A board with a list of each kind, rules of each type and of a merge request, and a check with a secret. */
async function fill(scene: Scene) {
  const { ok, person, propose, P, O, group, database, projectWith, userNamed, project } = scene
  const rita = await person('rita', P, 30)
  await ok(`POST ${O}/members`, { user_id: rita.id, access_level: 30 })
  for (const at of [P, O]) {
    await ok(`POST ${at}/milestones`, { title: 'v1' })
    await ok(`POST ${at}/labels`, { name: 'bug', color: '#ff0000' })
  }
  const [milestone] = await ok<{ id: number }[]>(`GET ${P}/milestones`)
  const [label] = await ok<{ id: number }[]>(`GET ${P}/labels`)
  const board = await ok(`POST ${P}/boards`, {
    name: 'Team',
    labels: 'bug',
    milestone_id: milestone?.id,
    assignee_id: rita.id,
    weight: 2,
    hide_closed_list: true,
  })
  for (const list of [{ milestone_id: milestone?.id }, { label_id: label?.id }, { assignee_id: rita.id }])
    await ok(`POST ${P}/boards/${board.id}/lists`, list)
  const branch = await protectBranch(database, await projectWith(project), { name: 'release/*' })
  await ok(`POST ${P}/approval_rules`, { name: 'Any', rule_type: 'any_approver', approvals_required: 1 })
  const dark = await ok('POST /groups', { name: 'Dark', path: 'dark', visibility: 'private' })
  const security = await ok(`POST ${P}/approval_rules`, {
    name: 'Security',
    approvals_required: 2,
    user_ids: [rita.id],
    group_ids: [group, dark.id],
    protected_branch_ids: [branch.id],
  })
  await propose('a')
  await ok(`POST ${O}/merge_requests`, { source_branch: 'a', target_branch: 'main', title: 'a' })
  const changer = { project: await projectWith(project), viewer: await userNamed('root') }
  const replacing = { approval_project_rule_id: security.id, name: 'Security of it', user_ids: [] }
  for (const rule of [
    { ...replacing, approvals_required: 3 },
    { name: 'Docs', approvals_required: 1, user_ids: [rita.id] },
  ])
    await createMergeRequestRule(database, changer, { merge_request_iid: 1, ...rule })
  await ok(`POST ${P}/external_status_checks`, {
    name: 'qa',
    external_url: 'https://me:secret1@qa.example/hook?token=secret2',
    shared_secret: 'secret3',
    protected_branch_ids: [branch.id],
  })
}

test('boards, approval rules and status checks of an archive come out as they went in, without secrets', async () => {
  const scene = await openScene()
  const { ok, project, other, O, recordsOf, write, database } = scene
  await fill(scene)
  const before = await recordsOf(project)
  expect(JSON.stringify(before)).not.toMatch(/secret\d/)
  expect(before).toMatchObject({
    boards: [
      {
        name: 'Team',
        labels: ['bug'],
        lists: [
          { label: null, milestone: 'v1', assignee: null },
          { label: 'bug', milestone: null, assignee: null },
          { label: null, milestone: null, assignee: 'rita' },
        ],
      },
    ],
    approval_rules: [
      { rule_type: 'any_approver', approvals_required: 1 },
      // Who exports the project need not see a private group outside of it.
      { name: 'Security', usernames: ['rita'], groups: ['team'], protected_branches: ['release/*'] },
    ],
    merge_request_approval_rules: [
      { merge_request: 1, name: 'Security of it', replaces: 'Security', usernames: [], groups: ['team'] },
      { merge_request: 1, name: 'Docs', replaces: null, usernames: ['rita'], groups: [] },
    ],
    external_status_checks: [{ name: 'qa', external_url: 'https://qa.example/hook' }],
  })
  for (const name of PARTS) for (const record of before[name] ?? []) await write(name, record)
  expect(await recordsOf(other)).toEqual(before)
  expect(await ok(`GET ${O}/external_status_checks`)).toMatchObject([
    { name: 'qa', hmac: false, protected_branches: [{ name: 'release/*' }] },
  ])
  // Its service may be another one here: nothing is sent until somebody has looked at it.
  const hooks = await database
    .selectFrom('web_hook')
    .select(['recent_failures'])
    .where('project_id', '=', other)
    .execute()
  expect(hooks).toEqual([{ recent_failures: GIVEN_UP_AFTER }])
})

test('records that a project cannot hold are refused with what is wrong', async () => {
  const { write, person, O } = await openScene()
  await person('olga', O, 50)
  const rule = { name: 'r', approvals_required: 1, usernames: [], protected_branches: [] }
  const check = { name: 'c', external_url: 'https://c.example', protected_branches: [] }
  const board = { name: 'b', milestone: null, assignee: null, labels: [], lists: [] }
  const list = { label: null, milestone: null, assignee: null }
  const refusals: [string, object, RegExp][] = [
    ['approval_rules', { ...rule, protected_branches: ['x/*'] }, /x\/\* is no protected branch/],
    ['approval_rules', { ...rule, approvals_required: -1 }, /approvals_required/],
    ['approval_rules', { ...rule, usernames: ['nobody'], groups: ['none'] }, /nobody could approve/],
    ['merge_request_approval_rules', { ...rule, merge_request: 9 }, /9 does not exist/],
    ['external_status_checks', { ...check, protected_branches: ['y'] }, /y is no protected branch/],
    ['external_status_checks', { ...check, external_url: 'file:///etc/passwd' }, /url/i],
    ['boards', { ...board, name: ' ' }, /blank/],
    ['boards', { ...board, lists: [list] }, /exactly one/],
    ['boards', { ...board, lists: [{ ...list, label: 'a', assignee: 'b' }] }, /exactly one/],
    ['boards', { ...board, lists: 'none' }, /lists/],
  ]
  for (const [name, record, problem] of refusals) {
    const refusal: unknown = await write(name, record).then(
      () => 'accepted',
      (error: unknown) => error,
    )
    expect(JSON.stringify([refusal, (refusal as Error).message]), JSON.stringify(record)).toMatch(problem)
  }
})

test('an import by a user who is no administrator has no people, and its report names the rules that need them', async () => {
  const scene = await openScene()
  const { project, other, O, person, recordsOf, write } = scene
  await fill(scene)
  await person('olga', O, 50)
  const before = await recordsOf(project)
  const refused: unknown[] = []
  for (const name of PARTS)
    for (const record of before[name] ?? [])
      await write(name, record, 'olga').catch((error: unknown) => refused.push([record, error]))
  expect(refused).toMatchObject([
    [{ name: 'Security' }, { status: 400 }],
    [{ name: 'Security of it' }, { status: 400 }],
    [{ name: 'Docs' }, { status: 400 }],
  ])
  expect(await recordsOf(other)).toMatchObject({
    boards: [{ assignee: null, lists: [{ milestone: 'v1' }, { label: 'bug' }] }],
    approval_rules: [{ name: 'Any' }],
  })
})
