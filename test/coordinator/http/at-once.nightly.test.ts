import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { describeOnDatabase } from '../../support/databases.js'
import { inRandomOrder, randomNumbers } from './at-once/in-random-order.js'
import { addScene, type Scene } from './at-once/scene.js'
import { type Call, freshName, routeOf, tellOf, type Told, World } from './at-once/world.js'

// Whatever somebody asks for, others may ask for at the same time, or for the opposite: none of them may be served that
// the service has failed.

/** Decides the order of calls. SWITCHYARD_AT_ONCE_SEED tries another order. */
const SEED = Number(process.env['SWITCHYARD_AT_ONCE_SEED'] ?? 1)

/** Of equal concurrent calls exactly one creates the object of that name. */
const ONE_OF_A_NAME = new Set([
  'POST /users',
  'POST /user/emails',
  'POST /user/keys',
  'POST /groups',
  'POST /projects',
  'POST /projects/user/:user_id',
  'POST /projects/import',
  'POST /projects/:id/fork',
  'POST /projects/:id/feature_flags',
  'POST /projects/:id/feature_flags_user_lists',
  'POST /projects/:id/variables',
  'POST /groups/:id/variables',
  'POST /projects/:id/milestones',
  'POST /groups/:id/milestones',
  'POST /admin/ci/variables',
  'POST /projects/:id/members',
  'POST /groups/:id/members',
  'POST /projects/:id/access_requests',
  'POST /projects/:id/share',
  'POST /groups/:id/share',
  'POST /groups/:id/access_requests',
  'POST /projects/:id/approval_rules',
  'POST /projects/:id/merge_requests/:merge_request_iid/approval_rules',
  'POST /projects/:id/protected_branches',
  'POST /projects/:id/protected_tags',
  'POST /projects/:id/protected_environments',
  'POST /groups/:id/protected_environments',
  'POST /projects/:id/repository/branches',
  'POST /projects/:id/repository/tags',
  'POST /projects/:id/releases',
  'POST /projects/:id/releases/:tag_name/assets/links',
  'POST /projects/:id/environments',
  'POST /projects/:id/secure_files',
  'POST /projects/:id/runners',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables',
  'POST /projects/:id/job_token_scope/allowlist',
  'POST /projects/:id/job_token_scope/groups_allowlist',
  'POST /topics',
])

/** What the scene does not have, so that calls are refused, and why. */
const REFUSED: Record<string, string> = {
  'PATCH /users/:id/disable_two_factor': 'nobody has two factors',
  'POST /admin/set_up/test_mail': 'the settings name no mail server',
  'POST /projects/:id/jobs/:job_id/hold/extend': 'the job is not held',
  'DELETE /projects/:id/jobs/:job_id/hold': 'the job is not held',
  'POST /projects/:id/jobs/:job_id/terminal': 'the job has ended',
  'PUT /jobs/:id/hold': 'only its runner reports a hold',
  'DELETE /jobs/:id/hold': 'only its runner reports a hold',
  'POST /projects/:id/restore': 'nothing is marked for deletion',
  'POST /projects/:id/hooks/:hook_id/test/:trigger': 'nobody listens',
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': 'nobody listens',
  'POST /groups/:id/hooks/:hook_id/test/:trigger': 'nobody listens',
  'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': 'nobody listens',
  'POST /hooks/:id': 'nobody listens',
  'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'there is no such neighbor',
  'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id': 'there is no such neighbor',
  'POST /projects/:id/jobs/:job_id/artifacts/keep': 'the job has left none',
  'POST /projects/:id/jobs/:job_id/artifacts/view': 'the job has left none',
  'DELETE /projects/:id/caches/:cache_id': 'no job has stored a cache',
  'DELETE /projects/:id/deployments/:deployment_id': 'the last deployment stays',
  'POST /projects/:id/deployments/:deployment_id/approval': 'no deployment waits for approvals',
  'POST /jobs/:id/artifacts/uploads/:type': 'no bytes have come',
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': 'the caller is the author',
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': 'the caller has not approved',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'the branch has no commits',
  'POST /projects/:id/merge_trains/merge_requests/:merge_request_iid': 'merge trains are not enabled',
  'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds':
    'no merge waits for a pipeline',
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines':
    'the CI file has no jobs for merge requests',
  'PUT /projects/:id/repository/submodules/:submodule': 'the branch has no submodule',
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': 'the mirror is disabled',
  'POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses':
    'the branches are not compared yet',
  'POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry':
    'no check has failed',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits':
    'the merge request has no other commits',
  'POST /projects/:id/merge_requests/:merge_request_iid/conflicts': 'the branch has no commits',
  'PUT /suggestions/:id/apply': 'no comment suggests a change',
  'PUT /suggestions/batch_apply': 'no comment suggests a change',
  'POST /projects/:id/integrations/:slug/test': 'the integration sends nothing',
  'POST /projects/:id/services/:slug/test': 'the integration sends nothing',
  'POST /projects/:id/integrations/:slug/trigger': 'no chat service sends commands',
  'POST /projects/:id/services/:slug/trigger': 'no chat service sends commands',
  'POST /user/sessions/confirm': 'the caller has a token',
  'POST /user/identities/:provider/link': 'the caller has a token',
  'POST /scim_tokens/:provider': 'the settings have no provider',
  'DELETE /scim_tokens/:provider': 'no provider has a token',
  'DELETE /user/identities/:provider': 'the user has linked no provider',
  'PUT /user/password': 'the caller has a token',
  'DELETE /user/two_factor': 'the caller has a token',
  'POST /user/two_factor/totp': 'the caller has a token',
  'POST /user/two_factor/totp/confirm': 'the caller has a token',
  'DELETE /user/two_factor/totp': 'the caller has a token',
  'POST /user/two_factor/recovery_codes': 'the caller has a token',
  'POST /user/two_factor/passkeys/options': 'the caller has a token',
  'POST /user/two_factor/passkeys': 'the caller has a token',
  'PUT /user/two_factor/passkeys/:passkey_id': 'the caller has a token',
  'DELETE /user/two_factor/passkeys/:passkey_id': 'the caller has a token',
  'POST /user/sessions/passkey_options': 'the caller has a token',
  'DELETE /user/authorized_applications/:application_id': 'the user has authorized no application',
  'DELETE /users/:id/authorized_applications/:application_id': 'the user has authorized no application',
  'DELETE /users/:id/applications/:application_id': 'the user has registered no application',
  'GET /user/chat_names/request': 'no chat service has given a code',
  'POST /user/chat_names': 'no chat service has given a code',
  'DELETE /user/chat_names/:chat_name_id': 'no chat service has given a code',
}

/** Leaves the scene without what other operations want. */
const SPOILS =
  /^DELETE \/((projects|groups)\/:id|runners)$|transfer$|^POST \/groups\/:id\/projects|^PUT \/jobs\/:id$|^POST .*(reset_authentication_token|pipeline_schedules)$/

describeOnDatabase('At once', (open) => {
  test('equal calls are served, and one of them makes what has a name of its own', async () => {
    const world = await World.open(open)
    const shared = await addScene(world)
    const complaints: string[] = []
    for (const operation of changesOf(world)) {
      const route = routeOf(operation)
      const scene = SPOILS.test(route) ? await addScene(world) : shared
      const call = await world.prepare(scene, operation, freshName())
      const told = await Promise.all([call(), call()])
      complaints.push(...failuresAmong(told))
      const done = told.filter(({ status }) => status < 400).length
      if (ONE_OF_A_NAME.has(route) && done !== 1)
        complaints.push(`${done} made: ${told.map(tellOf).join('\n')}`)
      if ((done === 0) !== route in REFUSED) complaints.push(`${done} done: ${told.map(tellOf).join('\n')}`)
    }
    expect(complaints).toEqual([])
  })

  test('what is done to a thing is served while others do something else to it', async () => {
    const world = await World.open(open)
    const random = randomNumbers(SEED)
    const shared = await addScene(world)
    const complaints: string[] = []
    for (const label of new Set(changesOf(world).map(nounOf))) {
      const operations = changesOf(world).filter((each) => nounOf(each) === label)
      const scene = /^\/(runners|jobs|projects|groups)$/.test(label) ? await addScene(world) : shared
      const calls = await callsOf(world, scene, operations, freshName())
      complaints.push(...(await failuresOf(inRandomOrder([...calls, ...calls], random))))
    }
    expectNone(complaints)
  })

  test.each(['projects', 'groups', 'users'] as const)(
    'what is done in one of the %s is served while it is removed',
    async (place) => {
      const world = await World.open(open)
      const random = randomNumbers(SEED)
      const scene = await addScene(world)
      scene.target = scene.user
      const concerned = changesOf(world).filter((each) => concerns(place, each))
      const calls: Call[] = []
      for (const operation of inRandomOrder(concerned, random)) {
        calls.push(...(await callsOf(world, scene, [operation], freshName())))
      }
      const id = { projects: scene.project, groups: scene.group, users: scene.user.id }[place]
      const remove = () => world.call(world.root, 'DELETE', `/${place}/${id}?hard_delete=true`)
      calls.splice(Math.floor((random() * calls.length) / 2), 0, remove, remove)
      expectNone(await failuresOf(calls))
    },
  )

  test('projects and groups go to and fro', async () => {
    const world = await World.open(open)
    const random = randomNumbers(SEED)
    const { user, project, otherProject, group, friends } = await addScene(world)
    const call = (method: string, path: string, body: object) => () => world.call(user, method, path, body)
    const { id: inner } = await world.make(user, 'POST', '/groups', {
      name: 'inner',
      path: 'inner',
      parent_id: friends,
      visibility: 'public',
    })
    const move = (id: number) =>
      [group, friends, inner].map((namespace) => call('PUT', `/projects/${id}/transfer`, { namespace }))
    const moves = [
      ...move(project),
      ...move(otherProject),
      ...[inner, friends].map((group_id) => call('POST', `/groups/${group}/transfer`, { group_id })),
      ...[group, undefined].map((group_id) => call('POST', `/groups/${inner}/transfer`, { group_id })),
      call('POST', `/groups/${friends}/transfer`, { group_id: group }),
      call('PUT', `/groups/${friends}`, { path: freshName() }),
      call('PUT', `/groups/${group}`, { shared_runners_setting: 'disabled_and_unoverridable' }),
      call('PUT', `/projects/${project}`, { path: freshName(), topics: ['a', 'b'] }),
      call('POST', `/projects/${project}/star`, {}),
    ]
    const complaints: string[] = []
    for (let round = 0; round < 4; round++) {
      complaints.push(...(await failuresOf(inRandomOrder([...moves, ...moves], random))))
    }
    expectNone(complaints)
    expect(await pathsAstray(world)).toEqual([])
  })

  test('projects are deleted and restored while they and their group move', async () => {
    const world = await World.open(open, { deletionAdjournedPeriod: 7 })
    const random = randomNumbers(SEED)
    const { user, project, otherProject, group, friends } = await addScene(world)
    const call =
      (method: string, path: string, body: object = {}) =>
      () =>
        world.call(user, method, path, body)
    const callsOn = (id: number) => [
      ...['app', 'other'].map((path) => call('PUT', `/projects/${id}`, { path, name: path })),
      ...[group, friends].map((namespace) => call('PUT', `/projects/${id}/transfer`, { namespace })),
      call('DELETE', `/projects/${id}`),
      call('POST', `/projects/${id}/restore`),
      call('POST', `/projects/${id}/archive`),
      call('DELETE', `/projects/${id}?permanently_remove=true&full_path=nowhere`),
    ]
    const calls = [
      ...callsOn(project),
      ...callsOn(otherProject),
      call('POST', '/projects', { name: 'app', namespace_id: group }),
      call('PUT', `/groups/${group}`, { path: freshName() }),
    ]
    const complaints: string[] = []
    for (let round = 0; round < 4; round++) {
      complaints.push(...(await failuresOf(inRandomOrder([...calls, ...calls], random))))
    }
    expectNone(complaints)
    expect(await pathsAstray(world)).toEqual([])
    expect(await marksAstray(world)).toEqual([])
  })

  test('a project is restored, or removed for good, but not both', async () => {
    const world = await World.open(open, { deletionAdjournedPeriod: 7 })
    const { user, group } = await addScene(world)
    for (let round = 0; round < 10; round++) {
      const { id } = await world.make(user, 'POST', '/projects', { name: freshName(), namespace_id: group })
      const path = `/projects/${id}`
      await world.make(user, 'DELETE', path)
      const { path_with_namespace } = await world.make<{ path_with_namespace: string }>(user, 'GET', path)
      const forGood = { permanently_remove: true, full_path: path_with_namespace }
      const [restored, removed] = await Promise.all([
        world.call(user, 'POST', `${path}/restore`),
        world.call(user, 'DELETE', path, forGood),
      ])
      const { status } = await world.call(user, 'GET', path)
      expect([
        [201, 400, 200],
        [404, 202, 404],
      ]).toContainEqual([restored.status, removed.status, status])
    }
  })
})

/** Of projects that are called as if they were marked for deletion and are not, or the other way round. */
async function marksAstray({ database }: World): Promise<string[]> {
  const rows = await database.selectFrom('project').selectAll().execute()
  return rows
    .filter(({ path, marked_for_deletion_at, path_when_restored }) => {
      const isMarked = marked_for_deletion_at !== null
      return path.includes('-deletion_scheduled-') !== isMarked || (path_when_restored !== null) !== isMarked
    })
    .map(({ full_path }) => full_path)
}

function changesOf({ operations }: World): Operation[] {
  return operations.filter((operation) => isChange(operation))
}

/** `/projects/:id/variables` of all that is done to variables of projects. What is done to a place itself has none. */
function nounOf({ path }: Operation): string {
  const label =
    /^\/(?:projects|groups)\/:id\/\w+/.exec(path) ??
    /^\/users\/:\w+\/(?:\w+(?=\/:)|\w+_tokens)/.exec(path) ??
    /^\/user\/\w+/.exec(path) ??
    /^\/\w+/.exec(path)
  return label?.[0] ?? path
}

/** Whether an operation may have to do with such a place. */
function concerns(place: 'projects' | 'groups' | 'users', operation: Operation): boolean {
  const route = routeOf(operation)
  if (/^DELETE \/(projects|groups|users)\/:id$|\/self|ban$|block$|approve$|reject$|deactivate$/.test(route)) {
    return false
  }
  if (place === 'projects') return !/^\/(groups|users?|personal|hooks|admin)/.test(operation.path)
  return place === 'users' || /^\/(groups|projects)/.test(operation.path)
}

/** For data that is stored outside the folder of its group. */
async function pathsAstray({ database }: World): Promise<string[]> {
  const { rows } = await sql<{ full_path: string }>`
    select full_path from (
      select full_path, path, namespace_id as place from project
      union all select full_path, path, parent_id as place from namespace
    ) as placed
    where full_path <> coalesce((select full_path || '/' from namespace where id = place), '') || path`.execute(
    database,
  )
  return rows.map(({ full_path }) => full_path)
}

/** Those of one name are about the same things. */
async function callsOf(world: World, scene: Scene, operations: Operation[], name: string): Promise<Call[]> {
  const calls: Call[] = []
  for (const operation of operations) calls.push(await world.prepare(scene, operation, name))
  return calls
}

async function failuresOf(calls: Call[]): Promise<string[]> {
  return failuresAmong(await Promise.all(calls.map((call) => call())))
}

/** The message has the complaints themselves: a comparison of lists shortens them. */
function expectNone(complaints: string[]): void {
  expect(complaints.join('\n'), `SWITCHYARD_AT_ONCE_SEED=${SEED}`).toBe('')
}

const NOT_OFFERED = 501

function failuresAmong(told: Told[]): string[] {
  return told.filter(({ status }) => status >= 500 && status !== NOT_OFFERED).map(tellOf)
}
