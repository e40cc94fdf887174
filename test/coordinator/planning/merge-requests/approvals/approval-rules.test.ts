import { expect, test } from 'vitest'

import { testAtNight } from '../../../../support/nightly.js'
import type { Person } from '../../../support/test-app.js'
import { mergeSceneForFile } from '../git-scene.js'

const openMergeScene = mergeSceneForFile()

interface Rule {
  id: number
  name: string
  approvals_required: number
  [key: string]: unknown
}

/** A merge request of `ada` from `topic` into `main`, and the developers `bea` and `cy`. */
async function openScene(
  files: Record<string, string> = { 'b.txt': 'b' },
  onMain: Record<string, string> = {},
) {
  const scene = await openMergeScene()
  const { ok, call, commit, make, refresh, person, P, show } = scene
  const developer = async (name: string): Promise<Person> => {
    const one = await person(name)
    await ok(`POST ${P}/members`, { user_id: one.id, access_level: 30 })
    return one
  }
  const [bea, cy] = [await developer('bea'), await developer('cy')]
  if (Object.keys(onMain).length > 0) await commit(onMain, { branch: 'main' })
  await commit(files, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    developer,
    bea,
    cy,
    M,
    approve: (as: Person) => ok(`POST ${M}/approve`, {}, as),
    state: (as?: Person) =>
      ok<{ rules: Rule[]; [key: string]: unknown }>(`GET ${M}/approval_state`, undefined, as),
    status: async () => (await show(1)).detailed_merge_status,
    merge: async () => (await call(`PUT ${M}/merge`))[0],
    /** Requires the approvals of code owners for `main`, and first changes its file of code owners. */
    requireOwners: async (owners?: string) => {
      await call(`DELETE ${P}/protected_branches/main`)
      if (owners !== undefined) await commit({ CODEOWNERS: owners }, { branch: 'main' })
      return ok(`POST ${P}/protected_branches`, { name: 'main', code_owner_approval_required: true })
    },
    rule: (body: object) => ok<Rule>(`POST ${P}/approval_rules`, body),
  }
}

test('a rule is met by the users that it names, and by direct members of its groups', async () => {
  const { ok, rule, state, status, merge, approve, bea, cy, developer, P } = await openScene()
  const { id: group } = await ok('POST /groups', { name: 'Sec', path: 'sec', visibility: 'private' })
  const dora = await developer('dora')
  await ok('POST /groups/sec/members', { user_id: dora.id, access_level: 10 })
  const made = await rule({ name: 'Security', approvals_required: 2, usernames: ['BEA'], group_ids: [group] })
  expect(made).toMatchObject({
    rule_type: 'regular',
    users: [{ username: 'bea' }],
    groups: [{ full_path: 'sec' }],
    contains_hidden_groups: false,
    protected_branches: [],
  })
  expect(await status()).toBe('not_approved')
  await approve(cy)
  await approve(dora)
  expect(await merge()).toBe(405)
  expect(await state(bea)).toMatchObject({
    approved: false,
    approvals_left: 1,
    user_can_approve: true,
    rules: [
      {
        id: made.id,
        approvals_left: 1,
        approved: false,
        approved_by: [{ username: 'dora' }],
        user_can_approve: true,
        groups: [],
        contains_hidden_groups: true,
        unsatisfiable: false,
      },
    ],
  })
  expect(await ok(`GET ${P}/merge_requests/1/approvals`)).toMatchObject({
    approved: false,
    approvals_left: 1,
    approval_rules_left: [{ id: made.id, name: 'Security' }],
    suggested_approvers: [{ username: 'bea' }],
  })
  await approve(bea)
  expect(await status()).toBe('mergeable')
  // At the moment of the merge, the group counts as it is then.
  await ok(`PUT ${P}/approval_rules/${made.id}`, { group_ids: [] })
  expect(await merge()).toBe(405)
  await ok(`PUT ${P}/approval_rules/${made.id}`, { approvals_required: 1 })
  expect(await merge()).toBe(200)
})

test('a rule whose people cannot approve goes on requiring approvals, and says so', async () => {
  const { ok, rule, state, merge, call, ada, bea, P } = await openScene()
  const { id } = await rule({ name: 'Author', approvals_required: 1, user_ids: [ada.id] })
  expect(await state()).toMatchObject({ rules: [{ unsatisfiable: true, eligible_approvers: [] }] })
  expect(await merge()).toBe(405)
  await ok(`PUT ${P}/approval_rules/${id}`, { user_ids: [bea.id] })
  await call(`DELETE ${P}/members/${bea.id}`)
  expect(await state()).toMatchObject({ rules: [{ unsatisfiable: true, users: [{ username: 'bea' }] }] })
  expect((await call(`DELETE ${P}/approval_rules/${id}`))[0]).toBe(204)
  expect(await merge()).toBe(200)
})

test('approvals_before_merge is the number of the rule any_approver', async () => {
  const { ok, call, rule, state, P } = await openScene()
  await ok(`PUT ${P}`, { approvals_before_merge: 2 })
  const [any] = await ok<Rule[]>(`GET ${P}/approval_rules`)
  expect(any).toMatchObject({ rule_type: 'any_approver', name: 'All Members', approvals_required: 2 })
  expect(await state()).toMatchObject({
    approvals_left: 2,
    rules: [{ id: any?.id, rule_type: 'any_approver' }],
  })
  const again = { name: 'Any', approvals_required: 1, rule_type: 'any_approver' }
  expect(await call(`POST ${P}/approval_rules`, again)).toEqual([
    400,
    { message: { rule_type: ['any-approver for the project already exists'] } },
  ])
  expect(await ok(`PUT ${P}/approval_rules/${any?.id}`, { approvals_required: 1 })).toMatchObject({
    approvals_required: 1,
  })
  expect(await ok(`GET ${P}/approvals`)).toMatchObject({ approvals_before_merge: 1 })
  await call(`DELETE ${P}/approval_rules/${any?.id}`)
  expect(await ok(`GET ${P}`)).toMatchObject({ approvals_before_merge: 0 })
  expect(await rule(again)).toMatchObject({ approvals_required: 1 })
  expect(await ok(`GET ${P}`)).toMatchObject({ approvals_before_merge: 1 })
})

test('a rule is for the protected branches that it names', async () => {
  const { ok, rule, state, bea, P } = await openScene()
  const { id: branch } = await ok(`POST ${P}/protected_branches`, { name: 'release/*' })
  const for1 = { name: 'One', approvals_required: 1, user_ids: [bea.id], protected_branch_ids: [branch] }
  const { id } = await rule(for1)
  await rule({ ...for1, name: 'All', protected_branch_ids: [], applies_to_all_protected_branches: true })
  await ok(`GET ${P}/protected_branches`)
  const protects = (await ok<{ name: string }[]>(`GET ${P}/protected_branches`)).map(({ name }) => name)
  expect((await state()).rules.map(({ name }) => name)).toEqual(protects.includes('main') ? ['All'] : [])
  expect(await ok(`GET ${P}/approval_rules/${id}`)).toMatchObject({
    protected_branches: [{ name: 'release/*' }],
  })
  await ok(`POST ${P}/repository/branches`, { branch: 'release/1', ref: 'main' })
  await ok(`PUT ${P}/merge_requests/1`, { target_branch: 'release/1' })
  expect((await state()).rules.map(({ name }) => name)).toEqual(['One', 'All'])
})

test('a merge request replaces rules of the project where that lets it, and requires no fewer approvals', async () => {
  const { ok, call, rule, state, status, approve, bea, cy, M, P } = await openScene()
  const { id } = await rule({ name: 'Security', approvals_required: 1, user_ids: [bea.id] })
  const override = { approval_project_rule_id: id, approvals_required: 1, user_ids: [cy.id] }
  expect(await call(`POST ${M}/approval_rules`, { ...override, approvals_required: 0 }, cy)).toMatchObject([
    400,
    { message: { approvals_required: [expect.stringContaining('at least 1')] } },
  ])
  const own = await ok<Rule>(`POST ${M}/approval_rules`, override, cy)
  expect(own).toMatchObject({
    name: 'Security',
    overridden: true,
    source_rule: { id, approvals_required: 1 },
  })
  await ok(`POST ${M}/approval_rules`, { name: 'More', approvals_required: 1, user_ids: [bea.id] }, cy)
  expect(await state()).toMatchObject({
    approval_rules_overwritten: true,
    rules: [
      { name: 'Security', users: [{ username: 'cy' }] },
      { name: 'More', overridden: false },
    ],
  })
  await approve(cy)
  await approve(bea)
  expect(await status()).toBe('mergeable')
  // A number that the project raises later counts.
  await ok(`PUT ${P}/approval_rules/${id}`, { approvals_required: 2 })
  expect(await status()).toBe('not_approved')
  await ok(`PUT ${P}/approval_rules/${id}`, { approvals_required: 1 })
  expect((await call(`DELETE ${M}/approval_rules/${own.id}`, undefined, cy))[0]).toBe(204)
  const named = await ok<Rule>(`PUT ${M}/approval_rules/${id}`, { usernames: ['cy'] }, cy)
  await ok(`PUT ${M}/approval_rules/${named.id}`, { approvals_required: 2, user_ids: [bea.id, cy.id] }, cy)
  await ok(`PUT ${M}/approval_rules/${named.id}`, { approvals_required: 1, user_ids: [cy.id] }, cy)
  const notes = await ok<{ body: string; author: { username: string } }[]>(`GET ${M}/notes?sort=asc`)
  expect(notes.filter(({ body }) => body.includes('approval rule')).map(({ body }) => body)).toEqual([
    'added approval rule **Security** (1 approval), instead of that of the project',
    'added approval rule **More** (1 approval)',
    'removed approval rule **Security** (1 approval)',
    'added approval rule **Security** (1 approval), instead of that of the project',
    'changed approval rule **Security** (2 approvals)',
    'changed approval rule **Security** (1 approval)',
  ])
  expect(named).toMatchObject({ overridden: true, users: [{ username: 'cy' }] })
  await ok(`POST ${P}/approvals`, { disable_overriding_approvers_per_merge_request: true })
  expect(await state()).toMatchObject({
    approval_rules_overwritten: false,
    user_can_change_rules: false,
    rules: [{ users: [{ username: 'bea' }] }],
  })
  expect((await call(`PUT ${M}/approval_rules/${named.id}`, { approvals_required: 5 }, cy))[0]).toBe(403)
})

test('refuses rules that nobody could meet, and unknown people, groups, branches and names', async () => {
  const { ok, call, rule, bea, P } = await openScene()
  const problem = async (body: object) => (await call(`POST ${P}/approval_rules`, body))[1]
  const valid = { name: 'One', approvals_required: 1, user_ids: [bea.id] }
  await rule(valid)
  await ok('POST /groups', { name: 'Hidden', path: 'hidden', visibility: 'private' }, bea)
  const hidden = await ok('GET /groups/hidden', undefined, bea)
  for (const [body, field] of [
    [valid, 'name'],
    [{ ...valid, name: 'Two', user_ids: [] }, 'users'],
    [{ ...valid, name: 'Two', user_ids: [9999] }, 'user_ids'],
    [{ ...valid, name: 'Two', usernames: ['nobody'] }, 'usernames'],
    [{ ...valid, name: 'Two', group_ids: [hidden.id] }, 'group_ids'],
    [{ ...valid, name: 'Two', protected_branch_ids: [9999] }, 'protected_branch_ids'],
    [{ ...valid, name: 'Two', rule_type: 'any_approver' }, 'users'],
  ] as const) {
    expect(Object.keys((await problem(body)) as object)).toEqual(['message'])
    expect(await problem(body)).toMatchObject({ message: { [field]: [expect.any(String)] } })
  }
  expect((await call(`POST ${P}/approval_rules`, { ...valid, name: 'Two' }, bea))[0]).toBe(403)
})

test('code owners of changed files must approve where the target branch requires it', async () => {
  const owners = '* @nobody\n/docs/ @bea @@owner\n[Build][2] @cy @bea\n*.json\n^[Extra]\n* @cy\nbroken ada'
  const { call, state, status, merge, approve, requireOwners, bea, cy, P } = await openScene(
    { 'docs/a.md': 'a', 'package.json': '{}' },
    { CODEOWNERS: owners },
  )
  expect(await state()).toMatchObject({
    approved: true,
    code_owners_path: 'CODEOWNERS',
    code_owner_approval_required: false,
    code_owners_problems: [
      { line: 7, kind: 'owner_malformed' },
      { line: 7, kind: 'no_owner' },
    ],
  })
  expect(await requireOwners()).toMatchObject({ code_owner_approval_required: true })
  const [refusal, reason] = await call(`POST ${P}/repository/files/docs%2Fb.md`, {
    branch: 'main',
    content: 'b',
    commit_message: 'Add b',
  })
  expect(refusal).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(reason)).toContain('docs/b.md has owners (CODEOWNERS, line 2)')
  expect(await status()).toBe('not_approved')
  const { rules } = await state(cy)
  expect(rules).toMatchObject([
    { name: '*', section: null, approvals_required: 0, approved: true, eligible_approvers: [] },
    {
      name: '/docs/',
      rule_type: 'code_owner',
      code_owner: true,
      eligible_approvers: [{ username: 'bea' }],
      approvals_left: 1,
      user_can_approve: false,
      owned_files: { line: 2, owners: ['@bea', '@@owner'], paths: ['docs/a.md'], path_count: 1 },
    },
    { name: '*.json', section: 'Build', approvals_required: 2, approvals_left: 2, user_can_approve: true },
    { name: '*', section: 'Extra', approvals_required: 0, owned_files: { path_count: 2, optional: true } },
  ])
  await approve(cy)
  expect(await merge()).toBe(405)
  await approve(bea)
  expect(await status()).toBe('mergeable')
  // Nobody else can approve for the author, who is the only owner.
  await requireOwners('* @ada')
  expect(await merge()).toBe(200)
})

test('a change of the file of code owners in the target branch counts before it was compared', async () => {
  const { database, status, merge, approve, refresh, requireOwners, bea, cy } = await openScene(
    { 'a.md': 'a' },
    { CODEOWNERS: '* @bea' },
  )
  await requireOwners()
  await approve(bea)
  expect(await status()).toBe('mergeable')
  // As the release before has left it.
  await database.deleteFrom('merge_request_code_owners').execute()
  expect(await status()).toBe('not_approved')
  await refresh()
  expect(await status()).toBe('mergeable')
  await requireOwners('* @cy')
  expect(await merge()).toBe(405)
  await approve(cy)
  expect(await merge()).toBe(200)
})

testAtNight('a file of code owners that is too large requires an approval that nobody can give', async () => {
  const { state, merge, requireOwners } = await openScene(
    { 'a.md': 'a' },
    { CODEOWNERS: `* @bea\n${'a @cy\n'.repeat(10_001)}` },
  )
  await requireOwners()
  expect(await state()).toMatchObject({
    code_owners_problems: [{ kind: 'file_too_large' }],
    rules: [{ name: '*' }, { name: 'CODEOWNERS', approvals_left: 1, unsatisfiable: true }],
  })
  expect(await merge()).toBe(405)
})

test('a merge that waits for its pipeline is made only if the rules are met then', async () => {
  const { ok, rule, approve, finishJobs, work, show, bea, cy, M, P } = await openScene({
    '.gitlab-ci.yml': 'a:\n  script: make\n  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]\n',
  })
  const { id } = await rule({ name: 'One', approvals_required: 1, user_ids: [bea.id] })
  await approve(bea)
  await ok(`PUT ${M}/merge`, { merge_when_pipeline_succeeds: true })
  await ok(`PUT ${P}/approval_rules/${id}`, { user_ids: [cy.id] })
  await finishJobs('success')
  await work()
  expect(await show(1)).toMatchObject({ state: 'opened', detailed_merge_status: 'not_approved' })
  await approve(cy)
  await work()
  expect(await show(1)).toMatchObject({ state: 'merged' })
})
