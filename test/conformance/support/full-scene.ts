import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { ED25519_KEY, GPG_KEY } from '../../coordinator/accounts/users/example-keys.js'
import { INFO } from '../../coordinator/support/runner-client.js'
import { zipOf } from '../../coordinator/support/zip.js'
import { Service } from './service.js'

const CI_FILE = `
stages: [build, deploy]
build:
  script: [make]
  stage: build
  environment: prod
  artifacts: { paths: [dist], reports: { junit: r.xml } }
ship: { stage: deploy, script: [x], when: manual, resource_group: prod }
child: { stage: deploy, trigger: { include: child.yml } }
`
const CHILD_FILE = 'inner: { script: [x] }'
const REPORT = '<testsuite name="s"><testcase name="a" classname="c" time="0.5"/></testsuite>'

/** A service with one object of each kind, and their values for path parameters. */
export interface FullScene {
  service: Service
  /** Path parameters by route and place in the response; `*` applies to all other routes. */
  parameters: Record<string, Record<string, string | number>>
  /** Request bodies by route. */
  bodies: Record<string, object>
}

/** A service with one object of each kind, all in a project of the administrator's own namespace. */
export async function openFullScene(): Promise<FullScene> {
  const service = await Service.start()
  const files = {
    'README.md': 'Hi\n',
    LICENSE: 'x\n',
    '.gitlab-ci.yml': CI_FILE,
    'child.yml': CHILD_FILE,
  }
  const project = await service.addProject(files)
  const make = (path: string, body: object = {}) =>
    service.json<{ id: number; iid: number; key: string }>('POST', path, body)
  const P = `/projects/${project.id}`
  await make(`${P}/repository/tags`, { tag_name: 'v1.0', ref: 'main', message: 'x' })
  const sha = await service.push(project, { 'a.txt': 'a\n' })

  const [ann, bob] = [await service.addPerson('ann'), await service.addPerson('bob')]
  const group = await make('/groups', {
    name: 'Team',
    path: 'team',
    visibility: 'public',
  })
  const friends = await make('/groups', { name: 'Friends', path: 'friends' })
  const member = await make(`${P}/members`, {
    user_id: ann.id,
    access_level: 30,
    expires_at: '2999-01-01',
  })
  await make(`${P}/share`, {
    group_id: friends.id,
    group_access: 20,
    expires_at: '2999-01-01',
  })
  await make(`/groups/${group.id}/share`, {
    group_id: friends.id,
    group_access: 20,
  })
  await service.json('PUT', P, { visibility: 'public' })
  await service.json('POST', `${P}/access_requests`, {}, bob)
  await make(`${P}/star`)

  await service.json('PUT', '/users/1', {
    provider: 'ldap',
    extern_uid: 'root',
  })
  const key = await make('/user/keys', {
    title: 'x',
    key: ED25519_KEY.line,
    expires_at: '2999-01-01',
  })
  await make('/user/emails', { email: 'x@work.example' })
  await make('/user/gpg_keys', { key: GPG_KEY.armored })
  await service.json('PUT', '/user/status', {
    emoji: 'tea',
    message: 'x',
    clear_status_after: '3_hours',
  })
  const scopes = { name: 'x', scopes: ['api'], expires_at: '2999-01-01' }
  const impersonation = await make(`/users/${ann.id}/impersonation_tokens`, scopes)
  const token = await make(`${P}/access_tokens`, scopes)
  const deployToken = await make(`${P}/deploy_tokens`, {
    ...scopes,
    scopes: ['read_repository'],
  })
  await make('/applications', { name: 'x', redirect_uri: 'https://a.example/back', scopes: 'api' })
  const deployKey = await make(`${P}/deploy_keys`, {
    title: 'x',
    key: ED25519_KEY.line,
  })

  const runner = await service.addRunner({ description: 'r' })
  const job = await runner.takeJob({
    info: { ...INFO, features: { ...INFO.features, upload_multiple_artifacts: true } },
  })
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': 'first' })))
  const query = 'artifact_type=junit&artifact_format=gzip'
  await runner.upload(job, gzipSync(REPORT), {
    query,
    filename: 'junit.xml.gz',
  })
  await runner.update(job, 'success')
  const pipeline = job.job_info.pipeline_id ?? 0

  const ofProject = await make('/user/runners', {
    runner_type: 'project_type',
    project_id: project.id,
  })
  const ofGroup = await make('/user/runners', {
    runner_type: 'group_type',
    group_id: group.id,
  })
  const badge = await make(`${P}/badges`, {
    link_url: 'https://a.example',
    image_url: 'https://a.example/b.svg',
  })
  await service.json('PUT', `${P}/custom_attributes/team`, { value: 'blue' })
  await make(`${P}/variables`, { key: 'K', value: 'v' })
  await addSecureFile(service, P)
  const userList = await make(`${P}/feature_flags_user_lists`, { name: 'x', user_xids: 'a,b' })
  await make(`${P}/feature_flags`, {
    name: 'flag',
    strategies: [{ name: 'gitlabUserList', user_list_id: userList.id, scopes: [{ environment_scope: '*' }] }],
  })
  const approvalRule = await make(`${P}/approval_rules`, { name: 'One', approvals_required: 0 })
  const freeze = await make(`${P}/freeze_periods`, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' })
  await make('/admin/ci/variables', { key: 'K', value: 'v' })
  const variables = [{ key: 'K', value: 'v' }]
  const ofApi = await make(`${P}/pipeline`, { ref: 'main', variables })
  const trigger = await make(`${P}/triggers`, { description: 'x' })
  const schedule = await make(`${P}/pipeline_schedules`, {
    description: 'x',
    ref: 'main',
    cron: '0 1 * * *',
  })
  await make(`${P}/pipeline_schedules/${schedule.id}/variables`, {
    key: 'K',
    value: 'v',
  })
  await make(`${P}/pipeline_schedules/${schedule.id}/play`)
  await make(`${P}/repository/commits/${sha}/comments`, { note: 'x' })
  await make(`${P}/statuses/${sha}`, { state: 'success', name: 'ext' })
  await make(`${P}/protected_tags`, { name: 'v*' })
  await make(`${P}/protected_environments`, {
    name: 'vault',
    deploy_access_levels: [{ access_level: 40 }],
    approval_rules: [{ access_level: 30, required_approvals: 2 }],
  })
  const look = { color: '#123456', description: 'x' }
  const label = await make(`${P}/labels`, { name: 'bug', priority: 1, ...look })
  await make(`/groups/${group.id}/labels`, { name: 'feature', ...look })
  const dates = { due_date: '2999-02-01', start_date: '2999-01-01' }
  const milestone = await make(`${P}/milestones`, { title: 'v1', description: 'x', ...dates })
  await make(`/groups/${group.id}/milestones`, { title: 'v2', description: 'x', ...dates })
  const epic = await make(`/groups/${group.id}/epics`, { title: 'e', description: 'x', ...dates })
  await make(`${P}/wikis`, { title: 'home', content: 'x' })
  const snippet = await make(`${P}/snippets`, {
    title: 's',
    file_name: 'a.md',
    content: 'a',
    description: 'x',
  })
  const issue = await make(`${P}/issues`, {
    title: 'a',
    description: '- [ ] x',
    due_date: '2999-01-01',
    weight: 1,
    discussion_locked: false,
    milestone_id: milestone.id,
    assignee_ids: [service.root.id],
    labels: ['bug'],
  })
  const I = `${P}/issues/${issue.iid}`
  await service.json('PUT', I, { state_event: 'close' })
  await service.json('PUT', I, { state_event: 'reopen' })
  const event = async (kind: string) => {
    const [first] = await service.json<{ id: number }[]>('GET', `${I}/resource_${kind}_events`)
    return { event_id: first?.id ?? 0 }
  }
  const note = await make(`${I}/notes`, { body: 'x' })
  const discussion = await make(`${I}/discussions`, { body: 'x' })
  const award = await make(`${I}/award_emoji`, { name: 'thumbsup' })
  await make(`${P}/repository/branches`, { branch: 'feature', ref: 'main' })
  const mergeRequest = await make(`${P}/merge_requests`, {
    title: 'a',
    description: '- [ ] x',
    source_branch: 'feature',
    target_branch: 'main',
    milestone_id: milestone.id,
    assignee_ids: [service.root.id],
    reviewer_ids: [service.root.id],
    labels: ['bug'],
  })
  await make(`${I}/todo`, {})
  const links = [{ name: 'l', url: 'https://a.example' }]
  await make(`${P}/releases`, {
    tag_name: 'v1.0',
    ref: `${sha}~1`,
    description: '*x*',
    assets: { links },
  })
  await make(`${P}/job_token_scope/groups_allowlist`, { target_group_id: group.id })
  const hook = await make(`${P}/hooks`, {
    url: 'https://a.example',
    custom_headers: [{ key: 'A', value: 'b' }],
  })
  await service.fetch('POST', `${P}/hooks/${hook.id}/test/push_events`, {
    as: service.root,
  })
  const groupHook = await make(`/groups/${group.id}/hooks`, { url: 'https://a.example' })
  await make('/hooks', { url: 'https://a.example' })
  const [environment] = await service.json<{ id: number }[]>('GET', `${P}/environments`)
  const [deployment] = await service.json<{ id: number }[]>('GET', `${P}/deployments`)
  const [blob] = await service.json<{ id: string }[]>('GET', `${P}/repository/tree`)
  return {
    service,
    parameters: {
      '*': {
        pipeline_id: pipeline,
        job_id: job.id,
        sha,
        name: 'main',
        branch: 'main',
        tag_name: 'v1.0',
        file_path: 'a.txt',
        user_id: member.id,
        key_id: deployKey.id,
        hook_id: hook.id,
        badge_id: badge.id,
        label_id: label.id,
        milestone_id: milestone.id,
        issue_iid: issue.iid,
        snippet_id: snippet.id,
        slug: 'home',
        epic_iid: epic.iid,
        award_id: award.id,
        note_id: note.id,
        discussion_id: discussion.id,
        merge_request_iid: mergeRequest.iid,
        token_id: token.id,
        impersonation_token_id: impersonation.id,
        trigger_id: trigger.id,
        link_id: 1,
        pipeline_schedule_id: schedule.id,
        freeze_period_id: freeze.id,
        approval_rule_id: approvalRule.id,
        feature_flag_name: 'flag',
        key: 'K',
        id: 1,
        environment_id: environment?.id ?? 0,
        deployment_id: deployment?.id ?? 0,
      },
      'GET /projects/:id/feature_flags_user_lists/:iid': { iid: 1 },
      'GET /projects/:id/deploy_tokens/:token_id': { token_id: deployToken.id },
      'GET /projects/:id/repository/blobs/:sha': { sha: blob?.id ?? '' },
      'GET /projects/:id/protected_tags/:name': { name: 'v*' },
      'GET /projects/:id/protected_environments/:name': { name: 'vault' },
      'POST /projects/:id/repository/files/:file_path': { file_path: 'new.txt' },
      'GET /projects/:id/pipelines/:pipeline_id/variables': { pipeline_id: ofApi.id },
      'GET /projects/:id/custom_attributes/:key': { key: 'team' },
      'GET /projects/:id/resource_groups/:key': { key: 'prod' },
      'GET /runners/:id > projects': { id: ofProject.id },
      'GET /runners/:id > groups': { id: ofGroup.id },
      'GET /keys/:id': { id: key.id },
      'GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id': await event('label'),
      'GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id': await event('state'),
      'GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id': await event('milestone'),
      'GET /groups/:id': { id: group.id },
      'GET /groups/:id/epics/:epic_iid': { id: group.id },
      'GET /groups/:id/hooks/:hook_id': { id: group.id, hook_id: groupHook.id },
      'GET /groups/:id/labels': { id: group.id },
      'GET /groups/:id/milestones': { id: group.id },
      'GET /namespaces/:id': { id: 'team' },
      'GET /namespaces/:id/exists': { id: 'team' },
    },
    bodies: {
      'POST /users/:user_id/personal_access_tokens': {
        name: 'x',
        scopes: ['api'],
      },
      'POST /projects/:id/share': { group_id: group.id, group_access: 20 },
      'POST /projects/:id/repository/files/:file_path': {
        branch: 'new',
        start_branch: 'main',
        content: 'x',
        commit_message: 'x',
      },
      'POST /user/runners': { runner_type: 'instance_type' },
      'POST /runners': { token: service.registrationToken },
      'POST /projects/:id/ci/lint': {
        content: 'include: child.yml',
        include_jobs: true,
      },
    },
  }
}

async function addSecureFile({ url, root }: Service, project: string): Promise<void> {
  const body = new FormData()
  body.set('name', 'a.jks')
  body.set('file', new Blob(['key']), 'a.jks')
  const headers = { 'private-token': root.token }
  const response = await fetch(`${url}/api/v4${project}/secure_files`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
}
