import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { fuzzRuns } from '../../support/fuzz-runs.js'
import { Sent } from './at-once/bodies.js'
import { randomNumbers } from './at-once/in-random-order.js'
import { addScene, type Scene } from './at-once/scene.js'
import {
  addressOf,
  freshName,
  type PreparedRequest,
  routeOf,
  tellOf,
  type Told,
  World,
} from './at-once/world.js'
import { type Case, casesOf } from './fuzz/cases.js'
import { ChangeWatch } from './fuzz/contents.js'
import { addFiles, READS } from './fuzz/reads.js'
import { asSent, type Request, requestWith } from './fuzz/requests.js'

// Every text and every number that an operation takes, in path, query, JSON and form, is tried with hostile values. The
// rest of the call is valid, so that the value gets as far as the database and git.

/** Cases of each operation. */
const { numRuns: CASES } = fuzzRuns(1)

/** Chooses the cases. */
const SEED = Number(process.env['SWITCHYARD_FUZZ_SEED'] ?? 1)

/** Operations whose valid call is refused in the scene, with the reason. */
const NOT_REACHED: Record<string, string> = {
  'POST /admin/set_up/test_mail': 'the settings name no mail server',
  'POST /mcp': 'its body is a message of the protocol, not parameters',
  'GET /projects/:id/jobs/:job_id/cache': 'no job has stored a cache',
  'GET /projects/:id/jobs/:job_id/failure': 'no job has failed',
  'GET /projects/:id/jobs/:job_id/steps': 'no runner has reported any',
  'GET /projects/:id/jobs/:job_id/hold': 'the job is not held',
  'DELETE /projects/:id/jobs/:job_id/hold': 'the job is not held',
  'POST /projects/:id/jobs/:job_id/hold/extend': 'the job is not held',
  'POST /projects/:id/jobs/:job_id/terminal': 'the job has ended',
  'GET /jobs/:id/hold': 'only its runner reports a hold',
  'PUT /jobs/:id/hold': 'only its runner reports a hold',
  'DELETE /jobs/:id/hold': 'only its runner reports a hold',
  'PATCH /users/:id/disable_two_factor': 'no user has a second factor',
  'POST /projects/:id/restore': 'no project is marked for deletion',
  'POST /projects/:id/deployments/:deployment_id/approval': 'no deployment waits for approvals',
  'POST /projects/:id/hooks/:hook_id/test/:trigger': 'no server takes the events of hooks',
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': 'no server takes the events of hooks',
  'POST /groups/:id/hooks/:hook_id/test/:trigger': 'no server takes the events of hooks',
  'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': 'no server takes the events of hooks',
  'POST /hooks/:id': 'no server takes the events of hooks',
  'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'the epic has no other child',
  'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id': 'the epic has no other issue',
  'GET /users/:id/associations_count': 'the caller is another user',
  'GET /users/:id/custom_attributes/:key': 'the user has none',
  'GET /keys': 'no key has the fingerprint',
  'GET /projects/:id/export/download': 'the export is not finished',
  'GET /projects/:id/repository/commits/:sha/signature': 'the commit is not signed',
  'GET /projects/:id/repository/tags/:tag_name/signature': 'the tag is not signed',
  'GET /feature_flags/unleash/:project_id': 'the caller shows no token of applications',
  'GET /feature_flags/unleash/:project_id/features': 'the caller shows no token of applications',
  'GET /feature_flags/unleash/:project_id/client/features': 'the caller shows no token of applications',
  'POST /feature_flags/unleash/:project_id/client/register': 'the caller shows no token of applications',
  'POST /feature_flags/unleash/:project_id/client/metrics': 'the caller shows no token of applications',
  'GET /runners/router/discovery': 'the coordinator does not offer a router',
  'GET /projects/:id/push_rule': 'the project has none',
  'GET /admin/push_rule': 'there is none',
  'GET /groups/:id/push_rule': 'the group has none',
  'GET /snippets/:id/user_agent_detail': 'the caller is no administrator',
  'GET /projects/:id/snippets/:snippet_id/user_agent_detail': 'the caller is no administrator',
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
  'GET /projects/:id/mirror/pull': 'the project is no mirror',
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': 'the mirror is disabled',
  'PUT /projects/:id/repository/submodules/:submodule': 'the branch has no submodule',
  'GET /job': 'the caller is a user',
  'GET /projects/:id/issues/:issue_iid/user_agent_detail': 'the caller is no administrator',
  'GET /jobs/:id/artifacts': 'the caller is a user',
  'DELETE /projects/:id/deployments/:deployment_id': 'the deployment is running',
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': 'the caller is the author',
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': 'the caller has not approved',
  'POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses':
    'the branches are not compared yet',
  'POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry':
    'no check has failed',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits':
    'the merge request has no other commits',
  'POST /projects/:id/merge_requests/:merge_request_iid/conflicts': 'the branch has no commits',
  'PUT /suggestions/:id/apply': 'no comment suggests a change',
  'PUT /suggestions/batch_apply': 'no comment suggests a change',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'the branch has no commits',
  'GET /projects/:id/merge_trains/merge_requests/:merge_request_iid': 'it is in no merge train',
  'POST /projects/:id/merge_trains/merge_requests/:merge_request_iid': 'merge trains are not enabled',
  'GET /projects/:id/merge_requests/:merge_request_iid/merge_ref': 'the branches are not compared yet',
  'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds':
    'no merge waits for a pipeline',
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines':
    'the CI file has no jobs for merge requests',
  'POST /projects/:id/jobs/:job_id/artifacts/keep': 'the job has no artifacts',
  'POST /projects/:id/jobs/:job_id/artifacts/view': 'the job has no artifacts',
  'GET /projects/:id/test_cases/:digest': 'no test has failed',
  'DELETE /projects/:id/caches/:cache_id': 'no job has stored a cache',
  'POST /jobs/:id/artifacts/uploads/:type': 'the upload has no bytes yet',
}

/** These leave a scene without what other operations need. */
const SPOILS =
  /^DELETE \/((projects|groups|runners)\/:id|runners)$|transfer$|^POST \/groups\/:id\/projects|^PUT \/jobs\/:id$|reset_authentication_token$/

/** What they need, accepted values of other operations may have changed. */
const NEEDS_NEW_SCENE =
  /^(POST \/runners\/verify|DELETE \/runners\/managers|POST \/projects\/:id\/ref\/:ref\/trigger\/pipeline)$/

/** An upload that is not what its completion says is discarded. */
const DISCARDS = 'POST /jobs/:id/artifacts/uploads/:type'

/** A delivery that fails is refused, and is shown in the list of events. */
const RECORDS_ATTEMPTS = /\/hooks\/:hook_id\/(test\/:trigger|events\/:hook_event_id\/resend)$/

const NOT_OFFERED = 501
const LONG = 3_600_000

describeOnDatabase('A hostile value of a parameter', (open) => {
  test(
    'is served without a failure, is named where it is refused, and then has changed nothing',
    async () => {
      const fuzzed = await openScenes(open)
      const watch = await ChangeWatch.open(fuzzed.world)
      const random = randomNumbers(SEED)
      const complaints: string[] = []
      const refused: Record<string, string> = {}
      for (const operation of fuzzed.world.operations) {
        const { found, isAccepted, prepared } = await fuzz(fuzzed, watch, operation, random)
        complaints.push(...found)
        if (isAccepted && !(routeOf(operation) in NOT_REACHED)) continue
        // Almost every operation accepts a call, so that hostile values get beyond the checks.
        const told = await send(fuzzed.world, operation, prepared, plainRequest(prepared))
        if (told.status >= 400) refused[routeOf(operation)] = tellOf(told)
      }
      expect(complaints, `SWITCHYARD_FUZZ_SEED=${SEED}`).toEqual([])
      const told = JSON.stringify(refused, undefined, 1)
      expect(Object.keys(refused).toSorted(), told).toEqual(Object.keys(NOT_REACHED).toSorted())
    },
    LONG,
  )
})

/** Tries hostile values. Resolves to what is wrong, whether one was accepted, and a valid call that was not sent. */
async function fuzz(
  { world, prepare }: Scenes,
  watch: ChangeWatch,
  operation: Operation,
  random: () => number,
): Promise<{ found: string[]; isAccepted: boolean; prepared: Prepared }> {
  const complaints: string[] = []
  let prepared = await prepare(operation)
  const changes = isChange(operation)
  if (changes) await watch.start()
  let isUnchanged = changes
  let isAccepted = false
  for (const each of casesOf(operation, prepared.body, CASES, random)) {
    const request = requestWith(prepared, prepared.query, each, each.value)
    if (!request) continue
    const told = await send(world, operation, prepared, request)
    complaints.push(...complaintsAbout(operation, each, told))
    isAccepted ||= told.status < 400
    if (!changes) continue
    if (told.status >= 400 && RECORDS_ATTEMPTS.test(routeOf(operation))) await watch.resetRows()
    else if (told.status >= 400) {
      const changed = await watch.changedRows()
      complaints.push(...changed.map((change) => `${titleOf(operation, each)}: ${change}`))
    } else {
      isUnchanged = false
      prepared = await prepare(operation)
      await watch.resetRows()
    }
  }
  const keepsFiles = isUnchanged && routeOf(operation) !== DISCARDS
  const changed = keepsFiles ? await watch.changedFiles() : []
  complaints.push(...changed.map((change) => `${routeOf(operation)} is refused: ${change}`))
  return { found: complaints, isAccepted, prepared }
}

type Scenes = Awaited<ReturnType<typeof openScenes>>

/** A world, and the function that makes the valid call of an operation in it. */
async function openScenes(open: OpenDatabase) {
  const world = await World.open(open)
  let shared = await addFullScene(world)
  const prepare = async (operation: Operation): Promise<Prepared> => {
    await relaxRules(world)
    const route = routeOf(operation)
    if (SPOILS.test(route) || NEEDS_NEW_SCENE.test(route))
      return prepareIn(world, await addScene(world), operation)
    try {
      return await prepareIn(world, shared, operation)
    } catch {
      // A value that was accepted, such as another path of the CI file, has left the scene without something.
      shared = await addFullScene(world)
      return prepareIn(world, shared, operation)
    }
  }
  return { world, prepare }
}

/** Rules that were accepted would refuse the calls of other operations. */
async function relaxRules(world: World): Promise<void> {
  await world.resetSettings()
  const none = { commit_message_regex: null, commit_message_negative_regex: null, file_name_regex: null }
  const free = { member_check: false, prevent_secrets: false, reject_unsigned_commits: false }
  await world.database
    .updateTable('push_rule')
    .set({ ...none, ...free, author_email_regex: null, branch_name_regex: null, max_file_size: 0 })
    .execute()
}

async function addFullScene(world: World): Promise<Scene> {
  const scene = await addScene(world)
  await addFiles(world, scene)
  return scene
}

interface Prepared extends PreparedRequest {
  query: Record<string, string>
  headers: Record<string, string>
}

/** The valid call of an operation. */
async function prepareIn(world: World, scene: Scene, operation: Operation): Promise<Prepared> {
  const route = routeOf(operation)
  if (route === 'DELETE /runners/managers')
    await world.call(world.root, 'POST', '/runners/verify', { token: scene.runner.token, system_id: 's_1' })
  const prepared = await world.prepareRequest(scene, operation, freshName())
  const address = addressOf(operation, prepared.parts)
  const { query = {}, headers = {} } = (await READS[route]?.(scene, world, address)) ?? {}
  return { ...prepared, query, headers }
}

function plainRequest({ parts, body, query }: Prepared): Request {
  return { parts, query: new URLSearchParams(query).toString(), body: body && asSent(body) }
}

function send(
  world: World,
  operation: Operation,
  { as, headers }: Prepared,
  { parts, query, body }: Request,
): Promise<Told> {
  const address = addressOf(operation, parts)
  const url = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`
  const sent = body ?? new Sent('')
  return world.call(as, operation.method, url, new Sent(sent.payload, { ...sent.headers, ...headers }))
}

function complaintsAbout(operation: Operation, each: Case, told: Told): string[] {
  const { status, body } = told
  const title = titleOf(operation, each)
  if (status >= 500 && status !== NOT_OFFERED) return [`${title}: ${tellOf(told)}`]
  if (each.carrier === 'path') return []
  const isNamed = body.includes(each.spot.parameter)
  if (each.isUnstorable && (status < 400 || (status === 400 && !isNamed))) {
    return [`${title}: ${status} ${body.slice(0, 300)}`]
  }
  // What is refused for its state is refused with every value.
  const isNotified = isNamed || IN_WORDS.test(body) || routeOf(operation) in NOT_REACHED
  return status === 400 && !isNotified ? [`${title}: not named in ${body.slice(0, 300)}`] : []
}

/** Messages that clients know, which name the parameter in other words. */
const IN_WORDS = new RegExp(
  [
    'Branch name is (invalid|too long)',
    '(Label|Milestone|User) not found!',
    'List could not be moved!',
    'Strategies (name|parameters|scopes|user list)',
    'Reference not found',
    'Invalid reference name',
    'Could not find ref',
    'The branch refname is invalid',
    'when you are on a branch',
    'Could not set the default branch',
    'Path is not valid',
    'A file with this name',
    'has changed since you started editing',
    'Scope contains invalid value',
    'Milestone(?: id)?\\(s\\) not found',
    'Variable names can contain',
    'unknown input arguments',
    'job_variables',
    'filepath',
    'Project templates are not supported',
    'Uploading the archive is not supported',
    'Failed to return the key',
    'entity_type is missing',
    'Invalid Date',
    '"title":',
    '"runner":',
    'external_auth_client_key is missing',
    'Group is already a root group',
    'Branch already exists',
    'Search query is less than 3 characters',
    'must be greater than start date',
    'Note \\{:(note|line_code)=>',
  ].join('|'),
)

function titleOf(operation: Operation, { spot, carrier, title }: Case): string {
  return `${routeOf(operation)} with ${title} as ${spot.name} (${carrier})`
}
