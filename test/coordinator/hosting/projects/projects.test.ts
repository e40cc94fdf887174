import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  addMember,
  addProject,
  openPeopleApi as buildPeopleApi,
  peopleApiForFile,
} from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

test('a project is made in the personal namespace of its maker, with a repository', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'My first project!', description: 'It is' })
  expect(project).toMatchObject({
    name: 'My first project!',
    path: 'my-first-project',
    path_with_namespace: 'mary/my-first-project',
    http_url_to_repo: `${EXTERNAL_URL}/mary/my-first-project.git`,
    web_url: `${EXTERNAL_URL}/mary/my-first-project`,
    description: 'It is',
    visibility: 'private',
    default_branch: null,
    empty_repo: true,
    creator_id: mary.id,
    owner: { id: mary.id, username: 'mary' },
    namespace: { kind: 'user', full_path: 'mary' },
    permissions: { project_access: { access_level: 50 }, group_access: null },
    runners_token: expect.stringMatching(/^GR1348941/) as string,
  })
  expect(api.repositories.created).toEqual([project.id])
})

test('a project has runners of the instance as far as its group lets it, and of the group unless it does not want them', async () => {
  const api = await openPeopleApi()
  const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
    id: number
  }>()
  const setting = { shared_runners_setting: 'disabled_and_unoverridable' }
  await api.call(api.root, `PUT /groups/${group.id}`, setting)
  const project = await addProject(api, api.root, { name: 'app', namespace_id: group.id })
  expect(project).toMatchObject({ shared_runners_enabled: false, group_runners_enabled: true })
  const refused = await api.call(api.root, `PUT /projects/${project.id}`, { shared_runners_enabled: true })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    {
      message: {
        shared_runners_enabled: ['cannot be enabled because parent group does not allow it'],
      },
    },
  ])
  const changed = await api.call(api.root, `PUT /projects/${project.id}`, { group_runners_enabled: false })
  expect(changed.json()).toMatchObject({ group_runners_enabled: false })
})

test('the path is the default name', async () => {
  const api = await openPeopleApi()
  expect(await addProject(api, api.root, { path: 'only.path' } as never)).toMatchObject({ name: 'only.path' })
})

const withoutProjects = openForFile(() => buildPeopleApi())

test.each([
  [{}, { error: 'name, path are missing, at least one parameter must be provided' }],
  [{ name: '' }, { error: 'name is empty' }],
  [{ name: 'x', visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
  [{ name: 'x', build_timeout: 5 }, { error: 'build_timeout does not have a valid value' }],
  [{ name: 'x', path: 'a b' }, { message: { path: [expect.stringContaining('can contain only')] } }],
  [{ name: 'x', path: 'a.git' }, { message: { path: ['is a name that git reserves'] } }],
  [{ name: 'x', path: 'a.wiki' }, { message: { path: ['is a name that git reserves'] } }],
  [{ name: 'x', path: '../up' }, { message: { path: [expect.stringContaining('can contain only')] } }],
  [{ name: '???' }, { message: { path: ["can't be blank"] } }],
])('creating %j is refused', async (params, body) => {
  const api = withoutProjects()
  const response = await api.call(api.root, 'POST /projects', params)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual(body)
})

test('names and paths are unique in a namespace, ignoring case', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await addProject(api, mary, { name: 'Thing' })
  const again = await api.call(mary, 'POST /projects', { name: 'thing' })
  expect(again.statusCode).toBe(400)
  expect(again.json()).toEqual({
    message: { name: ['has already been taken'], path: ['has already been taken'], limit_reached: [] },
  })
  await addProject(api, api.root, { name: 'Thing' })
})

test('a project is found by id and by its path, encoded in either case', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'a.b' })
  for (const key of [String(id), 'root%2Fa.b', 'root%2fa.b', 'ROOT%2FA.B']) {
    expect((await api.call(api.root, `GET /projects/${key}`)).json()).toMatchObject({ id })
  }
  expect((await api.call(api.root, 'GET /projects/root%2Fnone')).json()).toEqual({
    message: '404 Project Not Found',
  })
})

test('secret fields of a project are shown to maintainers only, and fewer fields to non-members', async () => {
  const api = await openPeopleApi()
  const developer = await addPerson(api.database, 'developer')
  const { id } = await addProject(api, api.root, { name: 'it', visibility: 'public' })
  await addMember(api, api.root, id, developer, 30)
  const seen = (await api.call(developer, `GET /projects/${id}`)).json<object>()
  expect(seen).toMatchObject({ permissions: { project_access: { access_level: 30 } } })
  expect(seen).not.toHaveProperty('runners_token')
  const anonymous = (await api.call(undefined, `GET /projects/${id}`)).json<object>()
  expect(anonymous).toHaveProperty('http_url_to_repo')
  for (const key of ['permissions', 'runners_token', 'creator_id']) expect(anonymous).not.toHaveProperty(key)
})

testAtNight('a project is edited', async () => {
  const api = await buildPeopleApi({ branches: ['main'] })
  const { id } = await addProject(api, api.root, { name: 'old' })
  const response = await api.call(api.root, `PUT /projects/${id}`, {
    name: 'New',
    path: 'new',
    description: null,
    default_branch: 'main',
    ci_config_path: 'ci/all.yml',
    ci_default_git_depth: 50,
    build_timeout: 7200,
    shared_runners_enabled: false,
    auto_cancel_pending_pipelines: 'disabled',
    restrict_user_defined_variables: true,
    ci_forward_deployment_enabled: false,
    public_builds: false,
    keep_latest_artifact: false,
  })
  expect(response.json()).toMatchObject({
    name: 'New',
    path_with_namespace: 'root/new',
    description: null,
    default_branch: 'main',
    empty_repo: false,
    ci_config_path: 'ci/all.yml',
    ci_default_git_depth: 50,
    build_timeout: 7200,
    shared_runners_enabled: false,
    auto_cancel_pending_pipelines: 'disabled',
    restrict_user_defined_variables: true,
    ci_forward_deployment_enabled: false,
    ci_forward_deployment_rollback_allowed: true,
    allow_pipeline_trigger_approve_deployment: false,
    secure_files_protected_refs_only: false,
    public_jobs: false,
    keep_latest_artifact: false,
  })
  expect((await api.call(api.root, 'GET /projects/root%2Fnew')).statusCode).toBe(200)
})

test.each([
  [{ ci_pipeline_variables_minimum_override_role: 'owner' }, true, 'owner'],
  [{ ci_pipeline_variables_minimum_override_role: 'no_one_allowed' }, true, 'no_one_allowed'],
  [{ ci_pipeline_variables_minimum_override_role: 'developer' }, false, 'developer'],
  [{ restrict_user_defined_variables: true }, true, 'maintainer'],
  [
    { ci_pipeline_variables_minimum_override_role: 'owner', restrict_user_defined_variables: false },
    false,
    'developer',
  ],
])('who may give variables to pipelines is set by %j', async (params, isRestricted, role) => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const response = await api.call(api.root, `PUT /projects/${id}`, params)
  expect(response.json()).toMatchObject({
    restrict_user_defined_variables: isRestricted,
    ci_pipeline_variables_minimum_override_role: role,
  })
})

test('whose failed jobs are held is set by a role: at first nobody', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const role = (response: { json(): object }) =>
    (response.json() as Record<string, unknown>)['hold_failed_jobs_minimum_role']
  expect(role(await api.call(api.root, `GET /projects/${id}`))).toBe('no_one_allowed')
  const change = (hold_failed_jobs_minimum_role: string) =>
    api.call(api.root, `PUT /projects/${id}`, { hold_failed_jobs_minimum_role })
  expect(role(await change('maintainer'))).toBe('maintainer')
  expect((await change('everybody')).statusCode).toBe(400)
})

test('a setting that restricts variables to owners may be changed only by owners', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const max = await addPerson(api.database, 'max')
  await addMember(api, api.root, id, max, 40)
  const change = (as: Person, role: string) =>
    api.call(as, `PUT /projects/${id}`, { ci_pipeline_variables_minimum_override_role: role })
  expect((await change(max, 'no_one_allowed')).statusCode).toBe(200)
  expect((await change(max, 'owner')).statusCode).toBe(403)
  expect((await change(api.root, 'owner')).statusCode).toBe(200)
  expect((await change(max, 'developer')).statusCode).toBe(403)
  const around = await api.call(max, `PUT /projects/${id}`, { restrict_user_defined_variables: false })
  expect(around.statusCode).toBe(403)
})

test('an edit without anything, or to a branch that is not there, is refused', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  expect((await api.call(api.root, `PUT /projects/${id}`, {})).statusCode).toBe(400)
  const branch = await api.call(api.root, `PUT /projects/${id}`, { default_branch: 'none' })
  expect(branch.statusCode).toBe(400)
  expect(branch.json()).toMatchObject({ message: { base: [expect.stringContaining("'none'")] } })
})

test('deleting a project is accepted once and deletes its files', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const deleted = await api.call(api.root, `DELETE /projects/${id}`)
  expect(deleted.statusCode).toBe(202)
  expect(deleted.json()).toEqual({ message: '202 Accepted' })
  expect(api.repositories.deleted).toEqual([id])
  expect((await api.call(api.root, `DELETE /projects/${id}`)).statusCode).toBe(404)
})

test('a deletion whose full path names another project is refused', async () => {
  const api = await buildPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const route = `DELETE /projects/${id}`
  const wrong = await api.call(api.root, route, { permanently_remove: true, full_path: 'root/other' })
  expect([wrong.statusCode, wrong.json()]).toEqual([
    400,
    {
      message: '`full_path` is incorrect. You must enter the complete path for the project.',
    },
  ])
  expect(api.repositories.deleted).toEqual([])
  const right = await api.call(api.root, route, { permanently_remove: true, full_path: 'root/it' })
  expect([right.statusCode, api.repositories.deleted]).toEqual([202, [id]])
})

test('the list shows what the caller may see, filtered and in order', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await addProject(api, mary, { name: 'alpha' })
  await addProject(api, api.root, { name: 'beta', visibility: 'internal' })
  await addProject(api, api.root, { name: 'gamma', visibility: 'public' })
  const joined = await addProject(api, api.root, { name: 'delta 100%' })
  await addMember(api, api.root, joined.id, mary, 20)
  const namesFor = async (viewer: Person | undefined, query: string): Promise<string[]> =>
    (await api.call(viewer, `GET /projects?${query}`)).json<{ name: string }[]>().map(({ name }) => name)
  const names = (query: string) => namesFor(mary, query)

  expect(await names('order_by=name&sort=asc')).toEqual(['alpha', 'beta', 'delta 100%', 'gamma'])
  expect(await namesFor(undefined, '')).toEqual(['gamma'])
  expect(await names('owned=True')).toEqual(['alpha'])
  expect(await names('membership=true&order_by=id&sort=asc')).toEqual(['alpha', 'delta 100%'])
  expect(await names('min_access_level=30')).toEqual(['alpha'])
  expect(await names('search=ALP')).toEqual(['alpha'])
  expect(await names('search=0%25')).toEqual(['delta 100%'])
  expect(await names('search=_')).toEqual([])
  expect(await names('visibility=internal')).toEqual(['beta'])
  expect(await names('starred=true')).toEqual([])
  expect(await names('order_by=name&sort=asc&per_page=2&page=2')).toEqual(['delta 100%', 'gamma'])
  await api.database.updateTable('project').set({ storage_size: 5 }).where('name', '=', 'alpha').execute()
  const bySize = 'order_by=storage_size&sort=desc'
  expect(await namesFor(api.root, bySize)).toEqual(['alpha', 'delta 100%', 'gamma', 'beta'])
  expect(await names(bySize)).toEqual(['delta 100%', 'gamma', 'beta', 'alpha'])
})

test('simple records leave the settings out', async () => {
  const api = await openPeopleApi()
  await addProject(api, api.root, { name: 'it' })
  const [record] = (await api.call(api.root, 'GET /projects?simple=true')).json<object[]>()
  expect(record).toMatchObject({ path_with_namespace: 'root/it', star_count: 0 })
  expect(record).not.toHaveProperty('visibility')
})

test("a user's projects are those of the personal namespace, by id or name", async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await addProject(api, mary, { name: 'hers', visibility: 'public' })
  await addProject(api, api.root, { name: 'other', visibility: 'public' })
  for (const who of ['mary', mary.id]) {
    const list = (await api.call(undefined, `GET /users/${who}/projects`)).json<{ name: string }[]>()
    expect(list.map(({ name }) => name)).toEqual(['hers'])
  }
  expect((await api.call(undefined, 'GET /users/nobody/projects')).json()).toEqual({
    message: '404 User Not Found',
  })
})

test('an administrator makes a project for someone', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const response = await api.call(api.root, `POST /projects/user/${mary.id}`, { name: 'gift' })
  expect(response.json()).toMatchObject({ path_with_namespace: 'mary/gift', owner: { username: 'mary' } })
})

test('a group can own projects, and its creator is its owner', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const stranger = await addPerson(api.database, 'stranger')
  const group = (await api.call(mary, 'POST /groups', { name: 'Team', path: 'team' })).json<{ id: number }>()
  const sub = await api.call(mary, 'POST /groups', { name: 'Sub', path: 'sub', parent_id: group.id })
  expect(sub.json()).toMatchObject({ full_path: 'team/sub', full_name: 'Team / Sub', parent_id: group.id })
  const project = await addProject(api, mary, { name: 'it', namespace_id: sub.json<{ id: number }>().id })
  expect(project.path_with_namespace).toBe('team/sub/it')
  expect(project).not.toHaveProperty('owner')
  expect((await api.call(mary, 'GET /projects/team%2Fsub%2Fit')).statusCode).toBe(200)

  const elsewhere = await api.call(stranger, 'POST /projects', { name: 'x', namespace_id: group.id })
  expect(elsewhere.statusCode).toBe(404)
  expect((await api.call(stranger, 'GET /groups/team')).json()).toEqual({ message: '404 Group Not Found' })
  expect((await api.call(stranger, 'POST /groups', { name: 'x', path: 'mary' })).json()).toEqual({
    message: 'Failed to save group {:path=>["has already been taken"]}',
  })
  expect((await api.call(mary, 'POST /groups', { name: 'x', path: 'api' })).statusCode).toBe(400)
})

test('a project is not more open than its group', async () => {
  const api = await openPeopleApi()
  const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
    id: number
  }>()
  const params = { name: 'it', namespace_id: group.id, visibility: 'public' }
  const response = await api.call(api.root, 'POST /projects', params)
  expect(response.json()).toEqual({
    message: { visibility_level: ['public is not allowed in a private group.'] },
  })
})

test('namespaces are listed for users who may use them', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await api.call(api.root, 'POST /groups', { name: 'Open', path: 'open', visibility: 'public' })
  await api.call(api.root, 'POST /groups', { name: 'Closed', path: 'closed' })
  const list = (await api.call(mary, 'GET /namespaces')).json<{ full_path: string }[]>()
  expect(list.map(({ full_path }) => full_path)).toEqual(['open', 'mary'])
  expect((await api.call(mary, 'GET /namespaces/root')).statusCode).toBe(404)
  expect((await api.call(mary, 'GET /namespaces/open')).json()).toMatchObject({ kind: 'group' })
  expect((await api.call(undefined, 'GET /groups')).json<unknown[]>()).toHaveLength(1)
})

describeOnDatabase('projects', (open) => {
  test.each([
    ['name', 'asc'],
    ['name', 'desc'],
    ['created_at', 'asc'],
    ['created_at', 'desc'],
  ])('are walked by keyset in the order of %s %s, also where many are alike', async (column, sort) => {
    const api = await buildPeopleApi({ open })
    const rows = [
      { name: 'é', created_at: 1000 },
      ...[1, 2, 3].map(() => ({ name: 'a', created_at: 2000 })),
      { name: 'B', created_at: 3000 },
    ]
    for (const [index, row] of rows.entries()) {
      const { id } = await addProject(api, api.root, { name: `p${index}` })
      await api.database.updateTable('project').set(row).where('id', '=', id).execute()
    }
    const order = `order_by=${column}&sort=${sort}`
    const all = (await api.call(api.root, `GET /projects?${order}`)).json<{ id: number }[]>()
    const walked: { id: number }[] = []
    let path: string | undefined = `/projects?pagination=keyset&${order}&per_page=2`
    while (path !== undefined) {
      const page = await api.call(api.root, `GET ${path}`)
      walked.push(...page.json<{ id: number }[]>())
      const link = String(page.headers['link'])
      path = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(link)?.[1]
    }
    expect(walked.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(walked).toHaveLength(rows.length)
  })
})

test('keyset pagination of the list is stable while projects are created', async () => {
  const api = await openPeopleApi()
  for (const name of ['a', 'b', 'c']) await addProject(api, api.root, { name })
  const walked: string[] = []
  let path: string | undefined = '/projects?pagination=keyset&order_by=id&sort=desc&per_page=2'
  while (path !== undefined) {
    const page = await api.call(api.root, `GET ${path}`)
    walked.push(...page.json<{ name: string }[]>().map(({ name }) => name))
    if (walked.length === 2) await addProject(api, api.root, { name: 'd' })
    const next: string | undefined = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(
      String(page.headers['link']),
    )?.[1]
    path = next
  }
  expect(walked).toEqual(['c', 'b', 'a'])
})
