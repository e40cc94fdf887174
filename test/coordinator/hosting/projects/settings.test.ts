import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { declaredOperations } from '../../support/declared-operations.js'
import {
  addMember,
  addProject,
  openPeopleApi as buildPeopleApi,
  type PeopleApi,
  peopleApiForFile,
} from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

type Json = Record<string, unknown>

async function edit(api: PeopleApi, as: Person, id: number, params: object) {
  const response = await api.call(as, `PUT /projects/${id}`, params)
  return { status: response.statusCode, body: response.json<Json>() }
}

test('every setting is returned as it was set', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const settings = {
    merge_method: 'ff',
    squash_option: 'always',
    build_git_strategy: 'clone',
    build_timeout: 7200,
    only_allow_merge_if_pipeline_succeeds: true,
    allow_merge_on_skipped_pipeline: true,
    only_allow_merge_if_all_discussions_are_resolved: true,
    only_allow_merge_if_all_status_checks_passed: true,
    resolve_outdated_diff_discussions: true,
    remove_source_branch_after_merge: false,
    autoclose_referenced_issues: false,
    printing_merge_request_link_enabled: false,
    request_access_enabled: false,
    lfs_enabled: true,
    emails_disabled: true,
    auto_devops_enabled: true,
    auto_devops_deploy_strategy: 'manual',
    approvals_before_merge: 2,
    max_artifacts_size: 5,
    ci_delete_pipelines_in_seconds: 86_400,
    build_coverage_regex: '\\d+%',
    merge_commit_template: 'm',
    squash_commit_template: 's',
    suggestion_commit_message: 'x',
    public_jobs: false,
    ci_default_git_depth: 0,
    description: 'What it is',
    visibility: 'internal',
  }
  expect(await edit(api, api.root, id, settings)).toMatchObject({ status: 200, body: settings })
  expect((await api.call(api.root, `GET /projects/${id}`)).json()).toMatchObject(settings)
})

test.each(['repository', 'builds', 'forking', 'releases', 'environments'])(
  '%s can be disabled, for members only, or for everyone with access to the project',
  async (feature) => {
    const api = await openPeopleApi()
    const { id } = await addProject(api, api.root, { name: 'it' })
    const column = `${feature}_access_level`
    for (const level of ['disabled', 'private', 'enabled']) {
      expect((await edit(api, api.root, id, { [column]: level })).body).toMatchObject({ [column]: level })
    }
    expect((await edit(api, api.root, id, { [column]: 'public' })).body).toMatchObject({
      [column]: 'enabled',
    })
    expect((await edit(api, api.root, id, { [column]: 'all' })).body).toEqual({
      error: `${column} does not have a valid value`,
    })
  },
)

test('the older switches mean the levels, which win over them', async () => {
  const api = await openPeopleApi()
  const project = await addProject(api, api.root, { name: 'it', jobs_enabled: 'no' })
  expect(project).toMatchObject({
    jobs_enabled: false,
    builds_access_level: 'disabled',
  })
  const params = { jobs_enabled: true, releases_access_level: 'private' }
  expect((await edit(api, api.root, project.id, params)).body).toMatchObject({
    builds_access_level: 'enabled',
    jobs_enabled: true,
    releases_access_level: 'private',
  })
})

test('only the site of a project may be for everybody in a project that is not', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const params = { pages_access_level: 'public', wiki_access_level: 'public' }
  expect((await edit(api, api.root, id, params)).body).toMatchObject({
    pages_access_level: 'public',
    wiki_access_level: 'enabled',
  })
})

test('a project shows features that are not built as disabled, and links to nothing of them', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const { body } = await edit(api, api.root, id, { operations_access_level: 'enabled' })
  expect(body).toMatchObject({
    issues_enabled: true,
    issues_access_level: 'enabled',
    merge_requests_enabled: true,
    merge_requests_access_level: 'enabled',
    wiki_enabled: true,
    wiki_access_level: 'enabled',
    snippets_enabled: true,
    pages_access_level: 'enabled',
    operations_access_level: 'disabled',
    container_registry_enabled: false,
    jobs_enabled: true,
  })
  const links = (body as { _links: Record<string, string> })._links
  const served = (await declaredOperations()).filter(({ method }) => method === 'GET').map(({ path }) => path)
  for (const link of Object.values(links)) {
    expect(served).toContain(link.replace(/^.*\/api\/v4/, '').replace(`/projects/${id}`, '/projects/:id'))
  }
})

test.each([
  [{ topics: ['a', 'b', 'A'] }],
  [{ topics: 'a, b' }],
  [{ tag_list: ['a', ' b '] }],
  [{ tag_list: 'a,b,' }],
])('topics are given as %j', async (params) => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it', topics: ['old'] })
  const { body } = await edit(api, api.root, id, params)
  const topics = (body['topics'] as string[]).map((topic) => topic.toLowerCase())
  expect(topics).toEqual(['a', 'b'])
  expect(body['tag_list']).toEqual(body['topics'])
  expect((await edit(api, api.root, id, { topics: '' })).body).toMatchObject({ topics: [], tag_list: [] })
})

const unchanged = openForFile(async () => {
  const api = await buildPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  return { api, id }
})

test.each([
  [{ description: 'x'.repeat(2001) }, { description: ['is too long (maximum is 2000 characters)'] }],
  [
    { ci_config_path: '/etc/passwd' },
    { ci_config_path: ["can't include leading slash or directory traversal."] },
  ],
  [{ ci_config_path: 'a/../b' }, { ci_config_path: ["can't include leading slash or directory traversal."] }],
  [{ build_coverage_regex: '(' }, { build_coverage_regex: ['not valid RE2 syntax'] }],
  [{ mirror: true }, { mirror: ['is set with PUT /projects/:id/mirror/pull'] }],
  [{ repository_storage: 'other' }, { repository_storage: ['is not included in the list'] }],
  [{ topics: ['x'.repeat(256)] }, { topics: ['is too long (maximum is 255 characters)'] }],
  [{ name: 'gpj.\u202egnp' }, { name: ['can contain only visible characters and spaces'] }],
])('%j is refused, when a project is made and when it is changed', async (params, message) => {
  const { api, id } = unchanged()
  expect(await edit(api, api.root, id, params)).toEqual({ status: 400, body: { message } })
  const created = await api.call(api.root, 'POST /projects', { name: 'other', path: 'other', ...params })
  expect([created.statusCode, created.json()]).toEqual([400, { message }])
})

test('read-only settings are ignored', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const forged = {
    id: 4711,
    creator_id: api.root.id,
    runners_token: 'mine',
    star_count: 9,
    forks_count: 9,
    archived: true,
    forked_from_id: 1,
    import_status: 'failed',
    full_path: 'root/x',
    created_at: 0,
    pipeline_count: 5,
    issue_count: 4,
    open_issue_count: 3,
    open_confidential_issue_count: 1,
    avatar_key: '../../secret',
    namespace: { id: 1 },
    owner_id: api.root.id,
  }
  const project = await addProject(api, mary, { name: 'it', ...forged })
  const untouched = {
    creator_id: mary.id,
    star_count: 0,
    forks_count: 0,
    archived: false,
    import_status: 'none',
    path_with_namespace: 'mary/it',
    avatar_url: null,
  }
  expect(project).toMatchObject(untouched)
  expect(project.id).not.toBe(4711)
  expect(project).not.toMatchObject({ runners_token: 'mine' })
  const { body } = await edit(api, mary, project.id, { ...forged, description: 'x' })
  expect(body).toMatchObject({ ...untouched, id: project.id, runners_token: project['runners_token'] })
})

test('maintainers cannot change the visibility, and lower roles change nothing', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it', visibility: 'internal' })
  const max = await addPerson(api.database, 'max')
  const dora = await addPerson(api.database, 'dora')
  await addMember(api, api.root, id, max, 40)
  await addMember(api, api.root, id, dora, 30)
  expect((await edit(api, max, id, { description: 'x' })).status).toBe(200)
  expect((await edit(api, max, id, { visibility: 'public' })).status).toBe(403)
  expect((await edit(api, dora, id, { description: 'x' })).status).toBe(403)
  expect((await api.call(undefined, `PUT /projects/${id}`, { description: 'x' })).statusCode).toBe(401)
})

test('a project is created with a README on request, on the given branch', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const params = { initialize_with_readme: true, default_branch: 'trunk', description: 'All of it.' }
  const project = await addProject(api, mary, { name: 'It', ...params })
  expect(project).toMatchObject({
    default_branch: 'trunk',
    empty_repo: false,
    readme_url: `${EXTERNAL_URL}/mary/it/-/blob/trunk/README.md`,
  })
  const { repositories } = api
  const commit = await repositories.readCommit(
    project.id,
    (await repositories.resolveRef(project.id, 'refs/heads/trunk'))?.sha ?? '',
  )
  expect(commit).toMatchObject({
    message: 'Initial commit\n',
    authorName: 'mary',
    authorEmail: 'mary@example.com',
  })
  expect(await repositories.readFile(project.id, commit.id, 'README.md')).toBe('# It\n\nAll of it.\n')
  const rules = await api.call(mary, `GET /projects/${project.id}/protected_branches`)
  expect(rules.json()).toMatchObject([{ name: 'trunk' }])
  const record = await api.call(mary, `GET /projects/${project.id}?statistics=true`)
  expect(record.json()).toMatchObject({
    readme_url: `${EXTERNAL_URL}/mary/it/-/blob/trunk/README.md`,
    statistics: { commit_count: 1, wiki_size: 0, job_artifacts_size: 0 },
  })
})

test.each([
  [
    { initialize_with_readme: true, default_branch: 'a..b' },
    { default_branch: ['is not a valid name of a branch'] },
  ],
  [{ template_name: 'rails' }, expect.stringContaining('template_name is not supported') as string],
  [{ use_custom_template: true }, expect.stringContaining('use_custom_template is not supported') as string],
])('a project with %j is not made', async (params, message) => {
  const api = await openPeopleApi()
  const response = await api.call(api.root, 'POST /projects', { name: 'it', ...params })
  expect([response.statusCode, response.json()]).toEqual([400, { message }])
  expect((await api.call(api.root, 'GET /projects')).json()).toEqual([])
})

test('statistics and attributes require permission', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, api.root, { name: 'it', visibility: 'public' })
  const wanted = `GET /projects/${id}?statistics=true&with_custom_attributes=true&license=true`
  expect((await api.call(api.root, wanted)).json()).toMatchObject({
    custom_attributes: [],
    statistics: { storage_size: 0 },
    repository_storage: 'default',
    license: null,
    license_url: null,
  })
  const seen = (await api.call(mary, wanted)).json<Json>()
  for (const key of ['custom_attributes', 'repository_storage', 'runners_token', 'statistics']) {
    expect(seen).not.toHaveProperty(key)
  }
  expect((await api.call(undefined, wanted)).json()).not.toHaveProperty('statistics')
})
