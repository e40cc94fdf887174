import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { openMergeScene } from '../../planning/merge-requests/git-scene.js'
import { openPlanningScene } from '../../planning/support/planning-scene.js'

describeOnDatabase('a push rule', (open) => {
  test('is created once, read, changed and deleted, in a project, a group and the instance', async () => {
    const { call, ok, person, group, project } = await openPlanningScene(open)
    const mary = await person('mary', `/projects/${project}`, 40)
    for (const [at, kind] of [
      [`/projects/${project}`, 'Project'],
      [`/groups/${group}`, 'Group'],
      ['/admin', 'Instance'],
    ]) {
      const R = `${at}/push_rule`
      const none = [404, { message: '404 Push Rule Not Found' }]
      expect(await call(`GET ${R}`)).toEqual(none)
      expect(await call(`PUT ${R}`, { max_file_size: 1 })).toEqual(none)
      expect(await call(`DELETE ${R}`)).toEqual(none)
      const made = await ok(`POST ${R}`, { commit_message_regex: '^JIRA', deny_delete_tag: true })
      expect(made).toMatchObject({
        commit_message_regex: '^JIRA',
        branch_name_regex: null,
        deny_delete_tag: true,
        member_check: false,
        max_file_size: 0,
      })
      expect(await call(`POST ${R}`, {})).toEqual([422, { error: `${kind} push rule exists` }])
      expect(await ok(`PUT ${R}`, { max_file_size: 5, commit_message_regex: '' })).toEqual(
        Object.assign(made, { max_file_size: 5, commit_message_regex: null }),
      )
      expect(await ok(`GET ${R}`)).toEqual(made)
      expect(await call(`PUT ${R}`, { branch_name_regex: '(' })).toEqual([
        400,
        { message: { branch_name_regex: ['not valid RE2 syntax'] } },
      ])
      expect((await call(`DELETE ${R}`))[0]).toBe(204)
      expect(await call(`GET ${R}`)).toEqual(none)
    }
    expect((await call(`POST /projects/${project}/push_rule`, {}, mary))[0]).toBe(201)
  })

  test('of the nearest group, or else of the instance, is copied to new projects', async () => {
    const { call, ok, group } = await openPlanningScene(open)
    const inner = await ok('POST /groups', { name: 'in', path: 'in', parent_id: group })
    const rulesOf = async (name: string, namespace_id: number) => {
      const { id } = await ok('POST /projects', { name, namespace_id })
      return call(`GET /projects/${id}/push_rule`)
    }
    expect((await rulesOf('a', inner.id))[0]).toBe(404)
    await ok(`POST /groups/${group}/push_rule`, { branch_name_regex: '^outer/' })
    expect(await rulesOf('b', inner.id)).toMatchObject([200, { branch_name_regex: '^outer/' }])
    await ok(`POST /groups/${inner.id}/push_rule`, { branch_name_regex: '^inner/' })
    expect(await rulesOf('c', inner.id)).toMatchObject([200, { branch_name_regex: '^inner/' }])
    await ok('POST /admin/push_rule', { branch_name_regex: '^all/' })
    expect(await rulesOf('d', inner.id)).toMatchObject([200, { branch_name_regex: '^inner/' }])
    const other = await ok('POST /groups', { name: 'other', path: 'other' })
    const { id: own } = await ok('POST /projects', { name: 'own' })
    const all = { branch_name_regex: '^all/', max_file_size: 0 }
    expect(await rulesOf('e', other.id)).toMatchObject([200, all])
    expect(await ok(`GET /projects/${own}/push_rule`)).toMatchObject({ ...all, project_id: own })
  })
})

test('commits, branches and merges over the API meet the push rule, or move no ref', async () => {
  const { ok, call, commit, make, refresh, show, git, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const head = await git('rev-parse', 'main')
  await ok(`POST ${P}/push_rule`, {
    commit_message_regex: '^JIRA-',
    branch_name_regex: '^feature/',
    prevent_secrets: true,
  })
  const refusal = "the message does not match the push rule commit_message_regex '^JIRA-'."
  const change = { branch: 'main', content: 'x' }
  const commits = [
    [`POST ${P}/repository/files/x.txt`, { ...change, commit_message: 'Add x' }],
    [
      `POST ${P}/repository/commits`,
      {
        branch: 'main',
        commit_message: 'Add x',
        actions: [{ action: 'create', file_path: 'x.txt', content: 'x' }],
      },
    ],
    [`PUT ${P}/merge_requests/1/merge`, {}],
  ] as const
  for (const [route, body] of commits) {
    const [status, response] = await call(route, body)
    expect({ route, status, response }).toEqual({
      route,
      status: 400,
      response: { message: expect.stringContaining(refusal) as string },
    })
  }
  expect(await git('rev-parse', 'main')).toBe(head)
  expect(await show(1)).toMatchObject({ state: 'opened' })
  const secret = { ...change, commit_message: 'JIRA-1' }
  expect((await call(`POST ${P}/repository/files/id_rsa`, secret))[0]).toBe(400)
  expect((await call(`POST ${P}/repository/branches`, { branch: 'other', ref: 'main' }))[0]).toBe(403)
  await ok(`POST ${P}/repository/branches`, { branch: 'feature/other', ref: 'main' })
  await ok(`POST ${P}/repository/files/x.txt`, { ...change, commit_message: 'JIRA-1 Add x' })
  await ok(`PUT ${P}/merge_requests/1/merge`, { merge_commit_message: 'JIRA-2 Merge' })
})
