import { randomBytes, randomUUID } from 'node:crypto'

import { TIERS } from '../../../../src/coordinator/database/tables/environments.js'
import { GPG_KEY } from '../../accounts/users/example-keys.js'
import { INFO } from '../../support/runner-client.js'
import type { Scene } from './scene.js'
import type { World } from './world.js'

/** What is sent where that is not JSON. */
export class Sent {
  constructor(
    readonly payload: FormData | string,
    readonly headers: Record<string, string> = {},
  ) {}
}

/** What an operation is called with in a scene; `name` differs for every thing that is made. */
export type Body = (scene: Scene, name: string, world: World) => object | Promise<object>

const LATER = '2999-01-01'
const token = (_: Scene, name: string) => ({ name, scopes: ['api'], expires_at: LATER })
const application = (_: Scene, name: string) => ({
  name,
  redirect_uri: 'https://a.example',
  scopes: 'api',
})
const deployToken = (_: Scene, name: string) => ({ name, scopes: ['read_repository'] })
const badge = (_: Scene, name: string) => ({
  name,
  link_url: 'https://a.example',
  image_url: 'https://a.example/b',
})
const variable = (_: Scene, name: string) => ({ key: name, value: 'v' })
const label = (_: Scene, name: string) => ({ name, color: 'red' })
/** A label that the body names. */
const named =
  (place: 'projects' | 'groups', more: object) => async (scene: Scene, name: string, world: World) => {
    const owner = place === 'projects' ? scene.project : scene.group
    const created = await world.makeAt<{ id: number }>(
      scene,
      `POST /${place}/:id/labels`,
      `/${place}/${owner}/labels`,
      `${name}-${randomUUID()}`,
    )
    return { label_id: created.id, ...more }
  }
const snippet = (_: unknown, title: string) => ({ title, file_name: 'a.md', content: 'a' })
const issue = (_: Scene, title: string) => ({ title, due_date: LATER })
const note = () => ({ body: 'x' })
const emoji = () => ({ name: 'thumbsup' })
/** From a branch of its own. */
const mergeRequest: Body = async ({ user, project, main }, title, world) => {
  const source_branch = `for-${title}-${randomUUID()}`
  await world.make(user, 'POST', `/projects/${project}/repository/branches`, {
    branch: source_branch,
    ref: main,
  })
  return { title, source_branch, target_branch: main }
}
const duration = () => ({ duration: '1h' })
const milestone = (_: Scene, title: string) => ({ title, due_date: LATER })
const member = async (scene: Scene, name: string, world: World) => ({
  user_id: (await world.person(scene, name)).id,
  access_level: 30,
})
const invitation = (_: Scene, name: string) => ({ email: `${name}@example.org`, access_level: 30 })
const value = () => ({ value: 'v' })
const hook = (_: Scene, name: string) => ({ url: `http://127.0.0.1:1/${name}` })
const sshKey = (_: Scene, name: string) => ({ title: name, key: someKey(name) })
/** There is but one, which only one may have. */
const gpgKey: Body = async (_scene, _name, { database }) => {
  await database.deleteFrom('gpg_key').execute()
  return { key: GPG_KEY.armored }
}
const email = (_: Scene, name: string) => ({ email: `${name}@example.net` })
const toMain = ({ main: branch }: Scene) => ({ branch })
const runnerToken = ({ runner }: Scene) => ({ token: runner.token })
const ofJob = ({ job }: Scene, payload: string, headers: Record<string, string> = {}) =>
  new Sent(payload, { 'job-token': job.token, 'content-type': 'application/octet-stream', ...headers })

/** By operation; those that are not here take nothing. */
export const BODIES: Record<string, Body> = {
  'POST /users': (_, name) => ({
    username: name,
    name,
    email: `${name}@example.com`,
    force_random_password: true,
    provider: 'ldap',
    extern_uid: name,
  }),
  'PUT /users/:id': (_, name) => ({ bio: 'x', provider: 'saml', extern_uid: name }),
  'POST /user/emails': email,
  'POST /users/:id/emails': email,
  'POST /user/chat_names': () => ({ code: 'x' }),
  'POST /user/sessions/confirm': () => ({ password: 'x' }),
  'POST /user/two_factor/totp/confirm': () => ({ code: '000000' }),
  'POST /user/two_factor/passkeys': (_, name) => ({ name, credential: '{}' }),
  'PUT /user/two_factor/passkeys/:passkey_id': (_, name) => ({ name }),
  'PUT /user/password': () => ({ password: 'correct horse battery' }),
  'POST /user/keys': sshKey,
  'POST /users/:id/keys': sshKey,
  'POST /user/gpg_keys': gpgKey,
  'POST /users/:id/gpg_keys': gpgKey,
  'PUT /user': () => ({ bio: 'x' }),
  'PUT /user/status': () => ({ emoji: 'tea', message: 'x' }),
  'PUT /user/preferences': () => ({ view_diffs_file_by_file: true }),
  'PUT /user/avatar': () => picture(),
  'POST /user/personal_access_tokens': (_, name) => ({ name, scopes: ['k8s_proxy'] }),
  'POST /users/:user_id/personal_access_tokens': token,
  'POST /users/:user_id/impersonation_tokens': token,
  'PUT /users/:id/custom_attributes/:key': value,

  'POST /applications': application,
  'PUT /applications/:id': (_, name) => ({ name }),
  'POST /user/applications': application,
  'PUT /user/applications/:application_id': (_, name) => ({ name }),

  'POST /groups': (_, name) => ({ name, path: name }),
  'PUT /groups/:id': () => ({ description: 'x' }),
  'POST /groups/:id/access_tokens': token,
  'POST /groups/:id/badges': badge,
  'PUT /groups/:id/badges/:badge_id': () => ({ link_url: 'https://b.example' }),
  'PUT /groups/:id/custom_attributes/:key': value,
  'POST /groups/:id/deploy_tokens': deployToken,
  'POST /groups/:id/invitations': invitation,
  'PUT /groups/:id/invitations/:email': () => ({ access_level: 20 }),
  'POST /groups/:id/members': member,
  'PUT /groups/:id/members/:user_id': () => ({ access_level: 20 }),
  'POST /groups/:id/share': ({ friends }) => ({ group_id: friends, group_access: 20 }),
  'POST /groups/:id/labels': label,
  'PUT /groups/:id/labels': named('groups', { color: 'blue' }),
  'PUT /groups/:id/labels/:label_id': () => ({ color: 'blue' }),
  'DELETE /groups/:id/labels': named('groups', {}),
  'POST /groups/:id/boards': (_, name) => ({ name }),
  'PUT /groups/:id/boards/:board_id': () => ({ weight: 1 }),
  'POST /groups/:id/boards/:board_id/lists': named('groups', {}),
  'PUT /groups/:id/boards/:board_id/lists/:list_id': () => ({ position: 0 }),
  'POST /projects/:id/boards': (_, name) => ({ name }),
  'PUT /projects/:id/boards/:board_id': () => ({ weight: 1 }),
  'POST /projects/:id/boards/:board_id/lists': named('projects', {}),
  'PUT /projects/:id/boards/:board_id/lists/:list_id': () => ({ position: 0 }),
  'POST /groups/:id/epics': milestone,
  'PUT /groups/:id/epics/:epic_iid': () => ({ state_event: 'close' }),
  'POST /groups/:id/epics/:epic_iid/epics': (_, title) => ({ title }),
  'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id': () => ({ move_before_id: 0 }),
  'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id': () => ({ move_before_id: 0 }),
  'POST /groups/:id/epics/:epic_iid/related_epics': async ({ user, group }, title, world) => ({
    target_group_id: group,
    target_epic_iid: (await world.make<{ iid: number }>(user, 'POST', `/groups/${group}/epics`, { title }))
      .iid,
  }),
  'POST /groups/:id/milestones': milestone,
  'POST /groups/:id/wikis': (_, title) => ({ title, content: 'a' }),
  'POST /groups/:id/wikis/preview': (_, content) => ({ content }),
  'POST /groups/:id/wikis/attachments': () => uploadOf({}),
  'PUT /groups/:id/wikis/:slug': (_, content) => ({ content }),
  'PUT /groups/:id/milestones/:milestone_id': () => ({ state_event: 'close' }),
  'POST /groups/:id/transfer': ({ friends: group_id }) => ({ group_id }),
  'POST /groups/:id/variables': variable,
  'PUT /groups/:id/variables/:key': value,

  'POST /projects': (_, name) => ({ name }),
  'POST /projects/user/:user_id': (_, name) => ({ name }),
  'POST /bulk_imports': (_, name) => bulkImportOf(name),
  'POST /projects/import': (_, name) => uploadOf({ path: name }),
  'PUT /projects/:id': () => ({ description: 'x', topics: ['a', 'b'] }),
  'PUT /projects/:id/transfer': ({ friends: namespace }) => ({ namespace }),
  'POST /projects/:id/fork': (_, name) => ({ path: name, name }),
  'POST /projects/:id/access_tokens': token,
  'POST /projects/:id/badges': badge,
  'PUT /projects/:id/badges/:badge_id': () => ({ link_url: 'https://b.example' }),
  'PUT /projects/:id/custom_attributes/:key': value,
  'POST /projects/:id/deploy_keys': sshKey,
  'PUT /projects/:id/deploy_keys/:key_id': () => ({ title: 'x', can_push: true }),
  'POST /projects/:id/deploy_tokens': deployToken,
  'POST /projects/:id/invitations': invitation,
  'PUT /projects/:id/invitations/:email': () => ({ access_level: 20 }),
  'POST /projects/:id/members': member,
  'PUT /projects/:id/members/:user_id': () => ({ access_level: 20 }),
  'POST /projects/:id/labels': label,
  'PUT /projects/:id/labels': named('projects', { color: 'blue' }),
  'PUT /projects/:id/labels/:label_id': () => ({ color: 'blue' }),
  'DELETE /projects/:id/labels': named('projects', {}),
  'PUT /projects/:id/labels/promote': async (scene, name, world) => {
    const labels = `/projects/${scene.project}/labels`
    await world.makeAt(scene, 'POST /projects/:id/labels', labels, `promoted-${name}`)
    return { name: `promoted-${name}` }
  },
  'POST /projects/:id/issues': issue,
  'PUT /projects/:id/issues/:issue_iid': () => ({ state_event: 'close' }),
  'POST /projects/:id/issues/:issue_iid/discussions': note,
  'POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes': note,
  'PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': note,
  'POST /projects/:id/merge_requests/:merge_request_iid/discussions': note,
  'POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes': note,
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': note,
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id': () => ({
    resolved: true,
  }),
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes': (_, name) => ({ note: name }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': (_, name) => ({
    note: name,
  }),
  'POST /projects/:id/external_status_checks': (_, name) => ({
    name,
    external_url: `https://checks.example/${name}`,
  }),
  'PUT /projects/:id/external_status_checks/:check_id': (_, name) => ({ name }),
  'POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses': () => ({
    sha: '0'.repeat(40),
    external_status_check_id: 1,
  }),
  'POST /projects/:id/merge_requests/:merge_request_iid/context_commits': ({ sha }) => ({ commits: [sha] }),
  'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits': ({ sha }) => ({
    commits: [sha],
  }),
  'POST /projects/:id/merge_requests/:merge_request_iid/conflicts': ({ sha }) => ({
    source_sha: sha,
    target_sha: sha,
    files: [{ path: 'a', content: 'a' }],
  }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files': (_, name) => ({
    digests: [name],
    viewed: true,
  }),
  'POST /groups/:id/epics/:epic_id/discussions': note,
  'POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes': note,
  'PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id': note,
  'POST /projects/:id/issues/:issue_iid/notes': note,
  'PUT /projects/:id/issues/:issue_iid/notes/:note_id': note,
  'POST /projects/:id/merge_requests/:merge_request_iid/notes': note,
  'PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': note,
  'PUT /projects/:id/integrations/:slug': () => ({ external_wiki_url: 'https://wiki.example' }),
  'POST /projects/:id/integrations/:slug/trigger': () => ({ token: 'x' }),
  'POST /projects/:id/services/:slug/trigger': () => ({ token: 'x' }),
  'PUT /projects/:id/services/:slug': () => ({ external_wiki_url: 'https://wiki.example' }),
  'PUT /projects/:id/mirror/pull': () => ({ url: 'https://git.example/a.git' }),
  'POST /snippets': snippet,
  'PUT /snippets/:id': () => ({ title: 'x' }),
  'POST /projects/:id/snippets': snippet,
  'PUT /projects/:id/snippets/:snippet_id': () => ({ title: 'x' }),
  'POST /projects/:id/wikis': (_, title) => ({ title, content: 'a' }),
  'POST /projects/:id/wikis/preview': (_, content) => ({ content }),
  'POST /projects/:id/wikis/attachments': () => uploadOf({}),
  'PUT /projects/:id/wikis/:slug': (_, content) => ({ content }),
  'POST /projects/:id/snippets/:snippet_id/discussions': note,
  'POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes': note,
  'PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id': note,
  'POST /projects/:id/snippets/:snippet_id/notes': note,
  'PUT /projects/:id/snippets/:snippet_id/notes/:note_id': note,
  'POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji': emoji,
  'POST /projects/:id/snippets/:snippet_id/award_emoji': emoji,
  'POST /groups/:id/epics/:epic_id/notes': note,
  'PUT /groups/:id/epics/:epic_id/notes/:note_id': note,
  'POST /projects/:id/issues/:issue_iid/award_emoji': emoji,
  'POST /projects/:id/merge_requests/:merge_request_iid/award_emoji': emoji,
  'POST /projects/:id/merge_requests/:merge_request_iid/time_estimate': duration,
  'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time': duration,
  'POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': emoji,
  'POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': emoji,
  'POST /groups/:id/epics/:epic_id/notes/:note_id/award_emoji': emoji,
  'POST /projects/:id/repository/commits/:sha/discussions': note,
  'POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes': note,
  'PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id': note,
  'PUT /suggestions/batch_apply': () => ({ ids: [1] }),
  'POST /projects/:id/approvals': () => ({ reset_approvals_on_push: false }),
  'POST /projects/:id/approval_rules': (_world, name) => ({ name, approvals_required: 0 }),
  'PUT /projects/:id/approval_rules/:approval_rule_id': () => ({ approvals_required: 0 }),
  'POST /projects/:id/merge_requests/:merge_request_iid/approval_rules': (_world, name) => ({
    name,
    approvals_required: 0,
  }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id': () => ({
    approvals_required: 0,
  }),
  'POST /projects/:id/issues/:issue_iid/time_estimate': duration,
  'POST /projects/:id/issues/:issue_iid/add_spent_time': duration,
  'POST /projects/:id/issues/:issue_iid/move': ({ otherProject }) => ({ to_project_id: otherProject }),
  'POST /projects/:id/issues/:issue_iid/clone': ({ otherProject }) => ({ to_project_id: otherProject }),
  'POST /projects/:id/issues/:issue_iid/links': async ({ user, otherProject }, title, world) => ({
    target_project_id: otherProject,
    target_issue_iid: (
      await world.make<{ iid: number }>(user, 'POST', `/projects/${otherProject}/issues`, { title })
    ).iid,
  }),
  'PUT /projects/:id/issues/:issue_iid/reorder': async ({ user, project }, title, world) => ({
    move_before_id: (await world.make(user, 'POST', `/projects/${project}/issues`, { title })).id,
  }),
  'POST /projects/:id/merge_requests': mergeRequest,
  'PUT /projects/:id/merge_requests/:merge_request_iid': () => ({ state_event: 'close' }),
  'POST /projects/:id/milestones': milestone,
  'PUT /projects/:id/milestones/:milestone_id': () => ({ state_event: 'close' }),
  'POST /projects/:id/share': ({ friends }) => ({ group_id: friends, group_access: 20 }),
  'PATCH /projects/:id/job_token_scope': () => ({ enabled: false }),
  'POST /projects/:id/job_token_scope/allowlist': ({ otherProject }) => ({ target_project_id: otherProject }),
  'POST /projects/:id/job_token_scope/groups_allowlist': ({ friends }) => ({ target_group_id: friends }),
  'POST /projects/:id/uploads': () => uploadOf({}),
  'POST /projects/:id/secure_files': (_, name) => uploadOf({ name }),
  'POST /projects/:id/remote_mirrors': (_, name) => ({ url: `https://git.example/${name}.git` }),
  'PUT /projects/:id/remote_mirrors/:mirror_id': () => ({ only_protected_branches: true }),

  'POST /projects/:id/hooks': hook,
  'PUT /projects/:id/hooks/:hook_id': () => ({ url: 'http://127.0.0.1:1' }),
  'PUT /projects/:id/hooks/:hook_id/url_variables/:key': value,
  'PUT /projects/:id/hooks/:hook_id/custom_headers/:key': value,
  'POST /groups/:id/hooks': hook,
  'PUT /groups/:id/hooks/:hook_id': () => ({ url: 'http://127.0.0.1:1' }),
  'PUT /groups/:id/hooks/:hook_id/url_variables/:key': value,
  'PUT /groups/:id/hooks/:hook_id/custom_headers/:key': value,
  'POST /hooks': hook,
  'PUT /hooks/:id': () => ({ url: 'http://127.0.0.1:1' }),
  'PUT /hooks/:id/url_variables/:key': value,
  'PUT /hooks/:id/custom_headers/:key': value,

  'POST /projects/:id/protected_branches': (_, name) => ({ name }),
  'PATCH /projects/:id/protected_branches/:name': () => ({ allow_force_push: true }),
  'POST /projects/:id/protected_tags': (_, name) => ({ name }),
  'POST /projects/:id/protected_environments': (_, name) => ({ name, ...DEPLOYERS }),
  'PUT /projects/:id/protected_environments/:name': () => ({ required_approval_count: 1 }),
  'POST /groups/:id/protected_environments': (scene, name) => ({ name: tierOf(scene, name), ...DEPLOYERS }),
  'PUT /groups/:id/protected_environments/:name': () => ({ required_approval_count: 1 }),
  'POST /projects/:id/repository/branches': ({ main }, name) => ({ branch: name, ref: main }),
  'POST /projects/:id/repository/tags': ({ main }, name) => ({ tag_name: name, ref: main }),
  'POST /projects/:id/repository/tags/:tag_name/release': () => ({ description: 'x' }),
  'PUT /projects/:id/repository/tags/:tag_name/release': () => ({ description: 'y' }),
  'POST /topics': (_, name) => ({ name, title: name }),
  'PUT /topics/:id': () => ({ description: 'x' }),
  'POST /topics/merge': async (scene, name, world) => {
    const [source, target] = [`${name}-${randomUUID()}`, `${name}-${randomUUID()}`]
    return {
      source_topic_id: (await world.makeBy(scene, 'POST /topics', source)).id,
      target_topic_id: (await world.makeBy(scene, 'POST /topics', target)).id,
    }
  },
  'POST /broadcast_messages': (_, message) => ({ message }),
  'PUT /broadcast_messages/:id': (_, message) => ({ message }),
  'PUT /admin/set_up': () => ({ finished: true }),
  'PUT /admin/set_up/steps/:step': () => ({ skipped: true }),
  'PUT /application/plan_limits': () => ({ plan_name: 'default', npm_max_file_size: 1 }),
  'PUT /projects/:id/repository/submodules/:submodule': ({ main }) => ({
    branch: main,
    commit_sha: 'a'.repeat(40),
  }),
  'POST /projects/:id/repository/changelog': ({ main, sha }) => ({
    version: '1.0.0',
    from: sha,
    branch: main,
  }),
  'POST /projects/:id/repository/commits': ({ main }, name) => commitOf(main, `${name}.txt`),
  'POST /projects/:id/repository/commits/:sha/cherry_pick': toMain,
  'POST /projects/:id/repository/commits/:sha/revert': toMain,
  'POST /projects/:id/repository/commits/:sha/comments': () => ({ note: 'x' }),
  'POST /projects/:id/repository/files/:file_path': fileChange,
  'PUT /projects/:id/repository/files/:file_path': fileChange,
  'DELETE /projects/:id/repository/files/:file_path': fileChange,
  'POST /projects/:id/releases': ({ main }, name) => ({ tag_name: name, ref: main, description: 'x' }),
  'PUT /projects/:id/releases/:tag_name': () => ({ description: 'y' }),
  'POST /projects/:id/releases/:tag_name/assets/links': (_, name) => ({
    name,
    url: `https://a.example/${name}`,
  }),
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': () => ({ url: 'https://b.example' }),

  'POST /projects/:id/variables': variable,
  'PUT /projects/:id/variables/:key': value,
  'POST /admin/ci/variables': variable,
  'PUT /admin/ci/variables/:key': value,
  'POST /projects/:id/triggers': (_, name) => ({ description: name }),
  'PUT /projects/:id/triggers/:trigger_id': () => ({ description: 'x' }),
  'POST /projects/:id/trigger/pipeline': ({ trigger, main: ref }) => ({ token: trigger, ref }),
  'POST /projects/:id/ref/:ref/trigger/pipeline': ({ trigger }) => ({ token: trigger }),
  'POST /projects/:id/pipeline_schedules': ({ main: ref }, name) => ({
    description: name,
    ref,
    cron: '0 1 * * *',
  }),
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': () => ({ cron: '0 2 * * *' }),
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': variable,
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': value,
  'POST /projects/:id/feature_flags': (_, name) => ({ name }),
  'PUT /projects/:id/feature_flags/:feature_flag_name': () => ({ active: false }),
  'POST /projects/:id/feature_flags_user_lists': (_, name) => ({ name, user_xids: 'a,b' }),
  'PUT /projects/:id/feature_flags_user_lists/:iid': () => ({ user_xids: 'c' }),
  'POST /projects/:id/freeze_periods': () => ({ freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' }),
  'PUT /projects/:id/freeze_periods/:freeze_period_id': () => ({ cron_timezone: 'Berlin' }),
  'POST /projects/:id/pipeline': ({ main: ref }) => ({ ref }),
  'PUT /projects/:id/pipelines/:pipeline_id/metadata': () => ({ name: 'x' }),
  'POST /projects/:id/statuses/:sha': (_, name) => ({ state: 'running', name }),
  'POST /markdown': () => ({ text: '#1', gfm: true }),
  'POST /ci/lint': () => ({ content: 'a: {script: x}' }),
  'POST /projects/:id/pipeline/preview': () => ({ ref: 'main' }),
  'POST /projects/:id/ci/lint': () => ({ content: 'a: {script: x}' }),
  'PUT /projects/:id/resource_groups/:key': () => ({ process_mode: 'oldest_first' }),

  'POST /projects/:id/environments': (_, name) => ({ name }),
  'PUT /projects/:id/environments/:environment_id': () => ({ external_url: 'https://a.example' }),
  'POST /projects/:id/environments/stop_stale': () => ({
    before: new Date(Date.now() - 8 * DAY).toISOString(),
  }),
  'POST /projects/:id/deployments': ({ main: ref, sha }, name) => ({
    environment: name,
    sha,
    ref,
    tag: false,
    status: 'running',
  }),
  'PUT /projects/:id/deployments/:deployment_id': () => ({ status: 'success' }),
  'POST /projects/:id/deployments/:deployment_id/approval': () => ({ status: 'approved' }),

  'POST /user/runners': ({ project }) => ({ runner_type: 'project_type', project_id: project }),
  'POST /projects/:id/runners': ({ idleRunner }) => ({ runner_id: idleRunner }),
  'PUT /runners/:id': () => ({ description: 'x', tag_list: ['a', 'b'] }),
  'POST /runners': async ({ user, project }, _, world) => {
    const path = `/projects/${project}/runners/reset_registration_token`
    return { token: (await world.make(user, 'POST', path)).token, tag_list: 'a,b' }
  },
  'POST /runners/verify': ({ runner }) => ({ token: runner.token, system_id: 's_1' }),
  'POST /runners/reset_authentication_token': runnerToken,
  'DELETE /runners': runnerToken,
  'DELETE /runners/managers': ({ runner }) => ({ token: runner.token, system_id: 's_1' }),
  'POST /jobs/request': ({ runner }) => ({ token: runner.token, system_id: 's_1', info: INFO }),
  'PUT /jobs/:id': ({ job }) => ({ token: job.token, state: 'success' }),
  'PATCH /jobs/:id/trace': (scene) => ofJob(scene, 'line\n', { 'content-range': '0-4' }),
  'PUT /jobs/:id/cache': (scene) => ofJob(scene, 'cache', {}),
  'POST /jobs/:id/hold': ({ job }) => ({
    token: job.token,
    place: 'container',
    has_terminal: false,
    seconds: 60,
    max_seconds: 60,
  }),
  'POST /jobs/:id/artifacts/authorize': ({ job }) => ({ token: job.token }),
  'POST /jobs/:id/artifacts': ({ job }) => uploadOf({ artifact_type: 'archive' }, { 'job-token': job.token }),
  'POST /jobs/:id/artifacts/uploads/:type': ({ job }) =>
    new Sent(JSON.stringify({ filename: 'a.zip', size: 1, sha256: 'a'.repeat(64) }), {
      'job-token': job.token,
      'content-type': 'application/json',
    }),
  'PATCH /jobs/:id/artifacts/uploads/:type': (scene) => ofJob(scene, 'x', { 'upload-offset': '0' }),
}

const DAY = 86_400_000
const DEPLOYERS = { deploy_access_levels: [{ access_level: 40 }] }

const tierNames = new WeakMap<Scene, string[]>()

/** Groups protect deployment tiers, and there are five: one for each of the first names in a scene. */
function tierOf(scene: Scene, name: string): string {
  const names = tierNames.get(scene) ?? []
  tierNames.set(scene, names)
  if (!names.includes(name)) names.push(name)
  return TIERS[names.indexOf(name) % TIERS.length] ?? 'other'
}

function commitOf(branch: string, file_path: string): object {
  return { branch, commit_message: 'x', actions: [{ action: 'create', file_path, content: 'x' }] }
}

function fileChange({ main: branch }: Scene, name: string): object {
  return { branch, commit_message: 'x', content: name }
}

/** No server responds at the address, which is kept for documentation. */
function bulkImportOf(name: string): object {
  return {
    configuration: { url: 'https://203.0.113.1', access_token: 'none' },
    entities: [{ source_type: 'group_entity', source_full_path: name, destination_namespace: '' }],
  }
}

function uploadOf(fields: Record<string, string>, headers: Record<string, string> = {}): Sent {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.set(name, text)
  form.set('file', new Blob(['content']), 'a.txt')
  return new Sent(form, headers)
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function picture(): Sent {
  const form = new FormData()
  form.set('avatar', new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' }), 'a.png')
  return new Sent(form)
}

const keys = new Map<string, string>()

/** An SSH key of the name's own, always the same. */
function someKey(name: string): string {
  const known = keys.get(name)
  if (known !== undefined) return known
  const parts = [Buffer.from('ssh-ed25519'), randomBytes(32)].map((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return Buffer.concat([length, part])
  })
  const key = `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`
  keys.set(name, key)
  return key
}
