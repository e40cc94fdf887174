import { sql } from 'kysely'

import { copyRow, FIRST_ID } from './list-rows.mjs'
import { call, Project } from './project.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

/** @typedef {import('../../src/coordinator/database/connect.js').Database} Database */
/** @typedef {'administrator' | 'member' | 'outsider'} Caller */
/** @typedef {{ project: number, group: number, user: number, veteran: number, runner: number, hook: number, schedule: number, sha: string, tokens: Record<Caller, string> }} Place */

const CI_FILE =
  'test: { script: [make], resource_group: one }\ndeploy: { script: [make], environment: { name: production } }\n'

/**
 * One of everything that lists show, made over the API: a public project in a public group, with a member who owns both,
 * somebody who has nothing to do with them, and somebody who will have to do with everything.
 * @param {string} url
 * @param {string} folder
 * @returns {Promise<Place>}
 */
export async function makeOneOfAll(url, folder) {
  const api = `${url}/api/v4`
  const group = await call(`${api}/groups`, { name: 'many', path: 'many', visibility: 'public' })
  const { id: project, sha } = await makeProject(api, url, folder, Number(group.id))
  const member = await addUser(api, 'member')
  const outsider = await addUser(api, 'outsider')
  const veteran = await addUser(api, 'veteran')
  const own = { user_id: member.id, access_level: 50 }
  await call(`${api}/groups/${String(group.id)}/members`, own)
  await call(`${api}/projects/${project}/members`, own)
  await call(`${api}/groups/${String(group.id)}/access_tokens`, {
    name: 'bot',
    scopes: ['api'],
    access_level: 30,
  })
  const settings = await addSettings(`${api}/projects/${project}`, sha)
  await call(`${api}/applications`, { name: 'one', redirect_uri: 'https://a.example', scopes: 'api' })
  const runner = await call(`${api}/runners`, {
    token: REGISTRATION_TOKEN,
    description: 'one',
    tag_list: 'docker',
  })
  return {
    ...{ project, sha, ...settings },
    group: Number(group.id),
    user: member.id,
    veteran: veteran.id,
    runner: Number(runner.id),
    tokens: { administrator: ADMIN_TOKEN, member: member.token, outsider: outsider.token },
  }
}

/**
 * @param {string} api
 * @param {string} url
 * @param {string} folder
 * @param {number} group
 */
async function makeProject(api, url, folder, group) {
  const { id } = await Project.create(url, folder, CI_FILE)
  await put(`${api}/projects/${id}/transfer`, { namespace: group })
  await put(`${api}/projects/${id}`, { visibility: 'public' })
  const pipeline = await call(`${api}/projects/${id}/pipeline`, { ref: 'main' })
  return { id, sha: String(pipeline.sha) }
}

/**
 * @param {string} url
 * @param {object} body
 */
async function put(url, body) {
  const headers = { 'private-token': ADMIN_TOKEN, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`PUT ${url}: ${response.status} ${await response.text()}`)
}

/**
 * @param {string} api
 * @param {string} name
 */
async function addUser(api, name) {
  const user = await call(`${api}/users`, {
    ...{ username: name, name, email: `${name}@example.com`, force_random_password: true },
  })
  const { token } = await call(`${api}/users/${String(user.id)}/personal_access_tokens`, {
    ...{ name: 'bench', scopes: ['api'] },
  })
  return { id: Number(user.id), token: String(token) }
}

/**
 * @param {string} project
 * @param {string} sha
 */
async function addSettings(project, sha) {
  // Before there is a hook, which would get events.
  await call(`${project}/repository/commits`, {
    ...{ branch: 'one', start_branch: 'main', commit_message: '[skip ci]' },
    actions: [{ action: 'create', file_path: 'one.txt', content: 'one' }],
  })
  await call(`${project}/merge_requests`, {
    ...{ title: 'one', source_branch: 'one', target_branch: 'main', assignee_ids: [1], reviewer_ids: [1] },
  })
  await call(`${project}/variables`, { key: 'KEY', value: 'value' })
  await call(`${project}/triggers`, { description: 'one' })
  const cron = { description: 'one', ref: 'main', cron: '0 1 * * *', active: false }
  const schedule = await call(`${project}/pipeline_schedules`, cron)
  const hook = await call(`${project}/hooks`, { url: 'http://hook.example' })
  await call(`${project}/deploy_tokens`, { name: 'one', scopes: ['read_repository'] })
  await call(`${project}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  await call(`${project}/labels`, { name: 'one', color: '#123456' })
  await call(`${project}/issues`, { title: 'one', due_date: '2030-01-01', assignee_ids: [1] })
  await call(`${project}/milestones`, { title: 'one', due_date: '2030-01-01' })
  await call(`${project}/releases`, { tag_name: 'v1', name: 'one', description: 'First' })
  await call(`${project}/deployments`, {
    ...{ environment: 'test', sha, ref: 'main', tag: false, status: 'success' },
  })
  await call(`${project}/statuses/${sha}`, { state: 'success', name: 'other' })
  await call(`${project}/invitations`, { email: 'someone@example.com', access_level: 30 })
  return { schedule: Number(schedule.id), hook: Number(hook.id) }
}

/**
 * As many of each: a hundred thousand of everything that a list may show.
 * @param {Database} database
 * @param {Place} place
 * @param {number} count
 */
export async function makeMany(database, place, count) {
  const { project, user, hook, schedule, runner } = place
  /**
   * @param {string} table
   * @param {Record<string, string>} changes
   * @param {Record<string, string>} [row]
   */
  const copy = (table, changes, row = { project_id: String(project) }) =>
    copyRow(database, table, row, count, changes)
  const id = `${FIRST_ID} + i`
  const open = `case i % 3 when 0 then 'public' when 1 then 'internal' else 'private' end`
  await copy(
    'user',
    {
      ...{ username: `'u' || i`, name: `'User ' || i`, email: `'u' || i || '@example.com'` },
      state: `case when i % 1000 = 0 then 'blocked' else 'active' end`,
    },
    { id: String(user) },
  )
  await copy('user_profile', { user_id: id }, { user_id: String(user) })
  await copyGroups(database, place, count, open)
  await copyProjects(database, place, count, open)
  await copyPipelines(database, place, count)
  const isMember = { project_id: String(project), user_id: String(user) }
  await copy('member', { user_id: id, access_level: `10 + 10 * (i % 4)` }, isMember)
  await copy(
    'environment',
    { name: `'e' || i`, slug: `'e' || i`, state: pick('available', 'stopped') },
    first('environment', project),
  )
  await copy(
    'deployment',
    { iid: id, job_id: 'null', status: pick('success', 'failed'), environment_id: id },
    { iid: '1', project_id: String(project) },
  )
  await copy('ci_variable', { key: `'KEY_' || i` })
  await copy('trigger_token', { token_digest: `'t' || i` })
  await copy('pipeline_schedule', { active: 'false', next_run_at: 'null' }, { id: String(schedule) })
  await copy('label', { name: `'l' || i` })
  await copy('issue', {
    iid: id,
    title: `'i' || i`,
    due_date: `case when i % 2 = 0 then original.due_date end`,
    state: pick('opened', 'closed'),
    confidential: `i % 10 = 0`,
    upvotes: `i % 5`,
    created_at: `original.created_at - i`,
    updated_at: `original.updated_at - i`,
  })
  await copy(
    'todo',
    {
      issue_id: id,
      action: pick('assigned', 'mentioned'),
      state: `case when i % 5 = 0 then 'done' else 'pending' end`,
    },
    { issue_id: first('issue', project).id },
  )
  await copy('merge_request', {
    iid: id,
    title: `'g' || i`,
    source_branch: `'b' || i`,
    state: `case i % 3 when 0 then 'opened' when 1 then 'closed' else 'merged' end`,
    merged_at: `case when i % 3 = 2 then original.created_at - i end`,
    draft: `i % 10 = 0`,
    upvotes: `i % 5`,
    created_at: `original.created_at - i`,
    updated_at: `original.updated_at - i`,
  })
  await addDeployed(database, place)
  await copy('milestone', {
    iid: id,
    title: `'m' || i`,
    due_date: `case when i % 2 = 0 then original.due_date end`,
    state: pick('active', 'closed'),
  })
  await copy('release', { tag: `'r' || i`, released_at: `original.released_at - i` })
  await copy('deploy_token', { digest: `'d' || i` })
  await copy('oauth_application', { uid: `'u' || i` }, { name: `'one'` })
  await copy('invitation', { email: `'i' || i || '@example.com'` })
  await copy('web_hook', {}, { id: String(hook) })
  await copy('resource_group', { key: `'g' || i`, job_id: 'null' })
  await copy('protected_ref', { name: `'p' || i` }, first('protected_ref', project))
  await copy('personal_access_token', { digest: `'t' || i`, revoked: 'i % 2 = 0' }, { user_id: String(user) })
  await copy(
    'runner',
    { token_digest: `'r' || i`, runner_type: pick('project_type', 'instance_type') },
    { id: String(runner) },
  )
  await copy(
    'audit_event',
    { created_at: 'original.created_at + i', entity_id: String(project), entity_type: `'Project'` },
    { id: '1' },
  )
  await copyDeliveries(database, place, count)
  await copy('activity', { author_id: String(user) }, first('activity', project))
  await addTestCases(database, place)
  await addVisitors(database, place)
  await addRelations(database, place)
}

/**
 * Each deployment has brought one merge request to its environment, and all of them to another one.
 * @param {Database} database
 * @param {Place} place
 */
async function addDeployed(database, { project }) {
  const { id: all } = await database
    .insertInto('environment')
    .values({
      ...{ project_id: project, name: 'all', slug: 'all', tier: 'other' },
      ...{ created_at: Date.now(), updated_at: Date.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const first = await database
    .selectFrom('deployment')
    .select('id')
    .where('project_id', '=', project)
    .where('id', '<', FIRST_ID)
    .executeTakeFirstOrThrow()
  const ofEach = sql`from merge_request where id >= ${sql.lit(FIRST_ID)}`
  await sql`insert into deployment_merge_request (deployment_id, merge_request_id, environment_id, finished_at)
    select id, id, id, created_at ${ofEach}
    union all select ${sql.lit(first.id)}, id, ${sql.lit(all)}, created_at ${ofEach}`.execute(database)
}

/**
 * Each job has one test that failed.
 * @param {Database} database
 * @param {Place} place
 */
async function addTestCases(database, { project }) {
  const jobs = sql`from job where id >= ${sql.lit(FIRST_ID)} and project_id = ${sql.lit(project)}`
  await sql`insert into test_case (id, project_id, digest, suite, name, classname, file, failed_at, flaky_at)
    select id, project_id, 'd' || id, 'unit', 'test ' || id, 'Class', null, created_at,
      case when id % 10 = 0 then created_at end ${jobs}`.execute(database)
  await sql`insert into test_failure (case_id, job_id, pipeline_id, ref, tag, sha, flaky, created_at)
    select id, id, pipeline_id, ref, false, 'a', id % 10 = 0, created_at ${jobs}`.execute(database)
}

/**
 * What all of the users have to do with the project: stars, requests for access, uploads. Every third project is a fork of
 * it, and the runners of projects are its own.
 * @param {Database} database
 * @param {Place} place
 */
async function addVisitors(database, { project }) {
  const users = sql`from "user" where id >= ${sql.lit(FIRST_ID)}`
  await sql`insert into project_star (user_id, project_id, created_at)
    select id, ${sql.lit(project)}, created_at ${users}`.execute(database)
  await sql`update project set star_count = (select count(*) ${users}) where id = ${project}`.execute(
    database,
  )
  await sql`insert into access_request (id, project_id, user_id, requested_at)
    select id, ${sql.lit(project)}, id, created_at ${users}`.execute(database)
  await sql`insert into project_upload
      (id, project_id, uploader_id, secret, filename, content_type, size, created_at)
    select id, ${sql.lit(project)}, id, username, 'a.txt', 'text/plain', 1, created_at ${users}`.execute(
    database,
  )
  await sql`update project set forked_from_id = ${project} where id >= ${FIRST_ID} and id % 3 = 0`.execute(
    database,
  )
  await sql`insert into runner_project (runner_id, project_id)
    select id, ${sql.lit(project)} from runner where id >= ${FIRST_ID} and runner_type = 'project_type'`.execute(
    database,
  )
}

/**
 * One user is a member of all projects and has starred them, follows all users and is followed by them.
 * @param {Database} database
 * @param {Place} place
 */
async function addRelations(database, { veteran }) {
  const [user, first] = [sql.lit(veteran), sql.lit(FIRST_ID)]
  // Those numbers that copied members have not.
  await sql`insert into member (id, project_id, user_id, access_level, created_at)
    select -id, id, ${user}, 30, created_at from project where id >= ${first}`.execute(database)
  await sql`insert into project_star (user_id, project_id, created_at)
    select ${user}, id, created_at from project where id >= ${first}`.execute(database)
  await sql`insert into user_follow (follower_id, followed_id, created_at)
    select ${user}, id, created_at from "user" where id >= ${first}
    union all select id, ${user}, created_at from "user" where id >= ${first}`.execute(database)
}

/**
 * @param {Database} database
 * @param {Place} place
 * @param {number} count
 * @param {string} visibility
 */
async function copyGroups(database, { group }, count, visibility) {
  const name = `'g' || i`
  await copyRow(database, 'namespace', { id: String(group) }, count, {
    ...{ visibility, name, path: name, full_path: name, runners_token_digest: name },
  })
  const id = `${FIRST_ID} + i`
  await copyRow(database, 'group_tree', { group_id: String(group) }, count, { group_id: id, ancestor_id: id })
}

/**
 * @param {Database} database
 * @param {Place} place
 * @param {number} count
 * @param {string} visibility
 */
async function copyProjects(database, { project, group }, count, visibility) {
  const name = `'p' || i`
  await copyRow(database, 'project', { id: String(project) }, count, {
    ...{ visibility, name, path: name, full_path: `'many/p' || i`, runners_token_digest: name },
    ...{ namespace_id: String(group), created_at: 'original.created_at + i' },
    ...{ updated_at: 'original.updated_at + i', last_activity_at: 'original.last_activity_at + i' },
    // Issues and merge requests belong to the first project.
    ...{ issue_count: '0', open_issue_count: '0', open_confidential_issue_count: '0' },
    ...{ merge_request_count: '0', open_merge_request_count: '0' },
  })
}

/**
 * Pipelines of one job each.
 * @param {Database} database
 * @param {Place} place
 * @param {number} count
 */
async function copyPipelines(database, { project }, count) {
  const id = `${FIRST_ID} + i`
  const status = pick('success', 'failed')
  await copyRow(database, 'pipeline', { project_id: String(project), iid: '1' }, count, {
    ...{ iid: id, status, ref: `'branch-' || (i % 1000)`, updated_at: 'original.updated_at + i' },
  })
  const ofFirst = { id: '(select min(id) from stage)' }
  await copyRow(database, 'stage', ofFirst, count, { pipeline_id: id, status })
  await copyRow(database, 'job', { id: '(select min(id) from job)' }, count, {
    ...{
      pipeline_id: id,
      stage_id: id,
      status,
      token_digest: 'null',
      runner_id: '1',
      finished_at: 'original.created_at',
    },
    ...{ resource_group_id: 'null' },
  })
}

/**
 * @param {Database} database
 * @param {Place} place
 * @param {number} count
 */
async function copyDeliveries(database, { project, hook }, count) {
  const created_at = Date.now()
  await database
    .insertInto('hook_event')
    .values({
      id: 1,
      project_id: project,
      uuid: 'u',
      trigger: 'push_events',
      kind: 'push',
      facts: '{}',
      created_at,
    })
    .execute()
  await database
    .insertInto('hook_log')
    .values({
      ...{ id: 1, hook_id: hook, event_id: 1, url: 'http://hook.example', request_headers: '{}', created_at },
      ...{ response_headers: '{}', response_status: '200', response_code: 200, execution_duration: 0.1 },
    })
    .execute()
  const failed = 'case when i % 100 = 0 then 500 else 200 end'
  await copyRow(database, 'hook_log', { id: '1' }, count, {
    response_code: failed,
    response_status: `cast(${failed} as text)`,
  })
}

/**
 * @param {string} usual
 * @param {string} rare
 */
function pick(usual, rare) {
  return `case when i % 1000 = 0 then '${rare}' else '${usual}' end`
}

/**
 * @param {string} table
 * @param {number} project
 */
function first(table, project) {
  return { id: `(select min(id) from ${table} where project_id = ${project})` }
}
