import { buffer } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { ED25519_KEY } from '../coordinator/accounts/users/example-keys.js'
import { zipOf } from '../coordinator/support/zip.js'
import { gitOk } from '../support/git-client.js'
import { type ServedProject, Service } from './support/service.js'

/** A request as sent by a client that is not installed here, and the fields it reads from the response. */
type Step = [request: string, status: number, record?: object, body?: object]

const CI_FILE = `
build: { script: [make], artifacts: { paths: [dist] } }
ship: { stage: deploy, script: [ship], when: manual, resource_group: prod, environment: prod }
`

interface Scene {
  service: Service
  project: ServedProject
  sha: string
  pipeline: number
  /** Jobs by their names: `build` has succeeded, `ship` waits. */
  jobs: Record<string, number>
}

async function openScene(): Promise<Scene> {
  const service = await Service.start()
  const group = await service.json<{ id: number }>('POST', '/groups', { name: 'Team', path: 'team' })
  const project = await service.addProject({ 'README.md': 'Hi\n' }, service.root, {
    name: 'app',
    namespace_id: group.id,
  })
  const sha = await service.push(project, { '.gitlab-ci.yml': CI_FILE })
  const runner = await service.addRunner()
  const job = await runner.takeJob()
  await runner.patch(job, '0-4', 'hello')
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': 'first' })))
  await runner.update(job, 'success')
  const pipeline = job.job_info.pipeline_id ?? 0
  const path = `/projects/${project.id}/pipelines/${pipeline}/jobs`
  const listed = await service.json<{ id: number; name: string }[]>('GET', path)
  const jobs = Object.fromEntries(listed.map(({ name, id }) => [name, id]))
  return { service, project, sha, pipeline, jobs }
}

/** Plays the steps one after the other; `P` and names in braces are filled in. */
async function play(scene: Scene, headers: Record<string, string>, steps: Step[]): Promise<void> {
  for (const [request, status, record, body] of steps) {
    const [method = '', path = ''] = filledIn(scene, request).split(' ')
    const response = await scene.service.fetch(method, path, { headers, ...(body && { body }) })
    const text = await response.text()
    expect(response.status, `${request}: ${text}`).toBe(status)
    if (record) expect(JSON.parse(text), request).toMatchObject(record)
  }
}

function filledIn({ project, sha, pipeline, jobs }: Scene, request: string): string {
  return request
    .replace(/ P(?=[/?]|$)/, ` /projects/${encodeURIComponent(project.path)}`)
    .replace('{sha}', sha)
    .replace('{pipeline}', String(pipeline))
    .replace(/\{(build|ship)\}/, (_, name: string) => String(jobs[name]))
}

const anything = expect.anything() as unknown
const someText = expect.any(String) as string
const someNumber = expect.any(Number) as number

describe('the dependency bot (API, M3)', () => {
  test('logs in, finds projects, reads files and users, and keeps the status of a commit', async () => {
    const scene = await openScene()
    const { service, sha, pipeline } = scene
    const status = {
      state: 'pending',
      description: 'Waiting',
      context: 'bot/age',
      target_url: 'https://a.example',
    }
    await play(scene, { authorization: `Bearer ${service.root.token}` }, [
      ['GET /user', 200, { id: 1, username: 'root', name: someText, email: someText }],
      ['GET /version', 200, { version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string }],
      [
        'GET /projects?membership=true&per_page=100&with_merge_requests_enabled=true&min_access_level=30&archived=false',
        ...([200, [{ path_with_namespace: 'team/app', mirror: false }]] as const),
      ],
      ['GET /projects?membership=true&archived=false&topic=none', 200, []],
      [
        'GET /groups/team/projects?per_page=100&archived=false&with_shared=false&include_subgroups=true',
        ...([200, [{ path_with_namespace: 'team/app' }]] as const),
      ],
      [
        'GET P',
        200,
        {
          id: someNumber,
          archived: false,
          mirror: false,
          default_branch: 'main',
          empty_repo: false,
          repository_access_level: 'enabled',
          merge_requests_access_level: 'enabled',
          merge_method: 'merge',
          squash_option: 'default_off',
          http_url_to_repo: someText,
        },
      ],
      [
        'GET P/repository/files/README.md?ref=HEAD',
        ...([200, { content: Buffer.from('Hi\n').toString('base64') }] as const),
      ],
      ['GET P/repository/files/renovate.json?ref=HEAD', 404, { message: '404 File Not Found' }],
      ['GET P/repository/branches/none%2Fsuch', 404, { message: '404 Branch Not Found' }],
      ['POST P/statuses/{sha}', 201, { status: 'pending', name: 'bot/age', pipeline_id: pipeline }, status],
      // It looks for the text up to `:pending`, and takes it as done.
      [
        'POST P/statuses/{sha}',
        ...([
          400,
          {
            message: expect.stringContaining('Cannot transition status via :enqueue from :pending') as string,
          },
        ] as const),
        status,
      ],
      [
        'POST P/statuses/{sha}',
        201,
        { status: 'success' },
        { ...status, state: 'success', pipeline_id: pipeline },
      ],
      [
        'GET P/repository/commits/{sha}/statuses',
        200,
        expect.arrayContaining([
          expect.objectContaining({ name: 'bot/age', status: 'success', allow_failure: false }) as object,
          expect.objectContaining({ name: 'build', status: 'success' }) as object,
        ]) as object[],
      ],
      ['GET P/repository/commits/{sha}', 200, { id: sha, last_pipeline: { id: pipeline } }],
      ['GET /users?username=root', 200, [{ id: 1, username: 'root' }]],
      ['GET /groups/team/members', 200, [{ id: 1, username: 'root', access_level: 50 }]],
      ['GET P/members', 200, []],
      ['GET P/members/all', 200, [{ id: 1, access_level: 50 }]],
      ['GET /users/root/status', 200, { availability: 'not_set' }],
      ['GET P/releases?per_page=100', 200, []],
      ['GET P/repository/tags?per_page=100', 200, []],
    ])
  })

  test('opens merge requests, keeps them up to date, comments, and merges them when they may be merged', async () => {
    const scene = await openScene()
    const { service } = scene
    const bearer = { authorization: `Bearer ${service.root.token}` }
    const action = { action: 'create', file_path: 'deps.txt', content: 'a@2\n' }
    const branch = { branch: 'renovate/a', start_branch: 'main', commit_message: 'Update a [skip ci]' }
    const wanted = {
      source_branch: 'renovate/a',
      target_branch: 'main',
      remove_source_branch: true,
      title: 'Update dependency a to v2',
      description: 'This updates a.',
      labels: 'dependencies,a',
      squash: false,
    }
    const lists = 'GET P/merge_requests?per_page=100&order_by=updated_at&sort=desc'
    await play(scene, bearer, [
      ['POST P/repository/commits', 201, {}, { ...branch, actions: [action] }],
      [`${lists}&scope=created_by_me`, 200, []],
      ['POST P/merge_requests', 201, { iid: 1, state: 'opened', labels: ['a', 'dependencies'] }, wanted],
      [
        'POST P/merge_requests',
        409,
        { message: ['Another open merge request already exists for this source branch: !1'] },
        wanted,
      ],
      [
        'PUT P/merge_requests/1',
        ...([200, { title: 'Update a', labels: ['dependencies', 'other'] }] as const),
        { title: 'Update a', add_labels: ['other'], remove_labels: ['a'], target_branch: 'main' },
      ],
      // Without a body.
      ['PUT P/merge_requests/1?assignee_ids[]=1', 200, { assignees: [{ id: 1 }] }],
      ['PUT P/merge_requests/1', 200, { reviewers: [{ id: 1 }] }, { reviewer_ids: [1] }],
      ['PUT P/merge_requests/1', 200, { state: 'closed' }, { state_event: 'close' }],
      ['PUT P/merge_requests/1', 200, { state: 'opened' }, { state_event: 'reopen' }],
      ['POST P/merge_requests/1/notes', 201, { body: 'Released on' }, { body: 'Released on' }],
    ])
    const notes = `/projects/${scene.project.id}/merge_requests/1/notes?per_page=100`
    const [note] = await service.json<{ id: number }[]>('GET', notes)
    await play(scene, bearer, [
      [`PUT P/merge_requests/1/notes/${note?.id}`, 200, { body: 'Ready' }, { body: 'Ready' }],
      [`DELETE P/merge_requests/1/notes/${note?.id}`, 204],
    ])
    const { updated_at } = await service.json<{ updated_at: string }>(
      'GET',
      `/projects/${scene.project.id}/merge_requests/1`,
    )
    const since = encodeURIComponent(new Date(Math.floor(Date.parse(updated_at) / 1000) * 1000).toISOString())
    await play(scene, bearer, [
      [`${lists}&updated_after=${since}&scope=created_by_me`, 200, [{ iid: 1, source_branch: 'renovate/a' }]],
      [
        'GET P/merge_requests/1?include_diverged_commits_count=1',
        200,
        {
          iid: 1,
          title: 'Update a',
          description: 'This updates a.',
          sha: someText,
          diverged_commits_count: 0,
          merge_status: someText,
          detailed_merge_status: someText,
          web_url: someText,
        },
      ],
      ['PUT P', 200, {}, { only_allow_merge_if_pipeline_succeeds: true }],
      // It waits while this is refused.
      ['PUT P/merge_requests/1/merge', 405, {}, { merge_when_pipeline_succeeds: true }],
      ['PUT P', 200, {}, { only_allow_merge_if_pipeline_succeeds: false }],
      [
        'PUT P/merge_requests/1/merge',
        ...([200, { state: 'merged' }] as const),
        { should_remove_source_branch: true, merge_when_pipeline_succeeds: true },
      ],
      ['GET P/issues?per_page=100&state=opened&scope=created_by_me', 200, []],
      [
        'POST P/issues',
        201,
        { iid: 1 },
        { title: 'Dashboard', description: 'x', labels: '', confidential: true },
      ],
      ['PUT P/issues/1', 200, { description: 'y' }, { description: 'y', labels: '', confidential: false }],
    ])
  })

  test('clones and pushes with its token under the name oauth2', async () => {
    const { service, project } = await openScene()
    const remote = `${service.url.replace('//', `//oauth2:${service.root.token}@`)}/${project.path}.git`
    await gitOk(project.workTree, 'push', '--quiet', remote, 'HEAD:refs/heads/renovate/all')
    expect(await gitOk('.', 'ls-remote', '--heads', remote)).toContain('refs/heads/renovate/all')
  })
})

describe('the command line client (API, M4)', () => {
  test('watches pipelines and jobs, plays, retries, cancels and fetches artifacts', async () => {
    const scene = await openScene()
    const token = { 'private-token': scene.service.root.token }
    await play(scene, token, [
      // Its probe for the rate limit, before anything else: any status with JSON will do.
      ['GET /', 404, { error: '404 Not Found' }],
      ['GET /user', 200, { username: 'root' }],
      ['GET /metadata', 200, { version: someText, enterprise: false }],
      [
        'GET P/pipelines?order_by=id&page=1&per_page=30&sort=desc',
        200,
        [{ id: scene.pipeline, source: 'push' }],
      ],
      ['GET P/pipelines?page=1&per_page=30&ref=none&status=success', 200, []],
      ['GET P/pipelines/latest?ref=main', 200, { id: scene.pipeline, detailed_status: { text: someText } }],
      ['GET P/repository/commits/main', 200, { last_pipeline: { id: scene.pipeline, ref: 'main' } }],
      [
        'GET P/pipelines/{pipeline}/jobs?include_retried=false&page=1&per_page=100',
        ...([
          200,
          [
            { name: 'ship', status: 'manual' },
            { name: 'build', status: 'success' },
          ],
        ] as const),
      ],
      ['GET P/pipelines/{pipeline}/bridges?page=1&per_page=30', 200, []],
      ['GET P/pipelines/{pipeline}/variables', 200, []],
      ['GET P/pipelines/{pipeline}/test_report', 200, { total_count: 0, test_suites: [] }],
      [
        'GET P/jobs/{build}',
        200,
        { id: scene.jobs['build'], pipeline: { id: scene.pipeline }, coverage: null },
      ],
      ['GET P/jobs?page=1&per_page=30&scope%5B%5D=success', 200, [{ name: 'build' }]],
      ['GET P/jobs/{build}/artifacts/dist/a.txt', 200],
      ['GET P/jobs/artifacts/main/download?job=build', 200],
      ['GET P/jobs/artifacts/main/raw/dist/a.txt?job=build', 200],
      ['POST P/jobs/{ship}/play', 200, { name: 'ship', id: scene.jobs['ship'] }, {}],
      ['GET P/resource_groups/prod', 200, { key: 'prod', process_mode: 'unordered' }],
      ['POST P/jobs/{ship}/cancel', 201, { status: 'canceled' }],
      ['POST P/jobs/{ship}/retry', 201, { name: 'ship', id: someNumber }, {}],
      ['POST P/jobs/{build}/artifacts/keep', 200, { artifacts_expire_at: null }],
      ['POST P/jobs/{build}/erase', 201, { erased_at: someText }],
      [
        'POST P/pipeline',
        201,
        { source: 'api', ref: 'main' },
        { ref: 'main', variables: [{ key: 'A', value: 'b' }] },
      ],
      ['POST P/pipelines/{pipeline}/cancel', 200, { id: scene.pipeline }],
      ['POST P/pipelines/{pipeline}/retry', 201, { id: scene.pipeline }],
      ['DELETE P/pipelines/{pipeline}', 204],
      [
        'POST P/ci/lint',
        ...([
          200,
          { valid: true, errors: [], warnings: [], merged_yaml: anything, jobs: [{ name: 'a' }] },
        ] as const),
        { content: 'a: { script: [x] }', dry_run: true, include_jobs: true, ref: 'main' },
      ],
      ['POST /projects/9999/ci/lint', 404, { message: '404 Project Not Found' }, { content: 'x' }],
    ])
  })

  test('keeps variables, schedules, triggers, keys, tokens, releases and repositories', async () => {
    const scene = await openScene()
    const scoped = { filter: { environment_scope: 'prod' } }
    const day = '2999-01-01'
    await play(scene, { 'private-token': scene.service.root.token }, [
      [
        'POST P/variables',
        ...([201, { environment_scope: 'prod', masked: false }] as const),
        {
          key: 'K',
          value: 'v',
          environment_scope: 'prod',
          masked: false,
          protected: false,
          raw: false,
          variable_type: 'env_var',
        },
      ],
      ['PUT P/variables/K', 200, { value: 'w' }, { value: 'w', ...scoped }],
      ['GET P/variables/K?filter%5Benvironment_scope%5D=prod', 200, { value: 'w' }],
      ['GET P/variables?page=1&per_page=20', 200, [{ key: 'K' }]],
      ['DELETE P/variables/K', 204, undefined, scoped],
      ['POST /groups/team/variables', 201, { key: 'G', environment_scope: '*' }, { key: 'G', value: 'v' }],
      ['DELETE /groups/team/variables/G', 204],
      [
        'POST P/pipeline_schedules',
        ...([201, { id: 1, active: true, next_run_at: someText }] as const),
        { description: 'x', ref: 'main', cron: '0 0 * * *', cron_timezone: 'UTC', active: true },
      ],
      ['POST P/pipeline_schedules/1/variables', 201, { key: 'A' }, { key: 'A', value: 'b' }],
      ['PUT P/pipeline_schedules/1', 200, { description: 'y' }, { description: 'y' }],
      ['POST P/pipeline_schedules/1/play', 201, { message: '201 Created' }],
      ['DELETE P/pipeline_schedules/1', 204],
      ['POST P/triggers', 201, { token: expect.stringMatching(/^glptt-/) as string }, { description: 'x' }],
      [
        'POST /user/keys',
        201,
        { id: 1, title: 'x' },
        { title: 'x', key: ED25519_KEY.line, usage_type: 'auth_and_signing' },
      ],
      ['DELETE /user/keys/1', 204],
      ['POST P/deploy_keys', 201, { can_push: true }, { title: 'x', key: ED25519_KEY.line, can_push: true }],
      ['GET /personal_access_tokens/self', 200, { active: true, scopes: anything }],
      [
        'POST P/access_tokens',
        ...([201, { token: someText, expires_at: day, access_level: 20 }] as const),
        { name: 'x', scopes: ['read_repository'], access_level: 20, expires_at: day },
      ],
      [
        'POST P/repository/tags',
        201,
        { name: 'v1', protected: false },
        { tag_name: 'v1', ref: 'main', message: 'm' },
      ],
      ['GET P/repository/tags/v1', 200, { name: 'v1', message: 'm' }],
      ['GET P/releases/v1', 404, { message: '404 Not Found' }],
      [
        'POST P/releases',
        ...([201, { tag_name: 'v1', assets: { links: [{ name: 'l' }] } }] as const),
        {
          name: 'One',
          tag_name: 'v1',
          ref: 'main',
          description: 'd',
          assets: { links: [{ name: 'l', url: 'https://a.example/l' }] },
        },
      ],
      [
        'POST P/releases/v1/assets/links',
        ...([201, { link_type: 'package', direct_asset_url: someText }] as const),
        { name: 'p', url: 'https://a.example/p', link_type: 'package', direct_asset_path: '/bin/p' },
      ],
      ['PUT P/releases/v1', 200, { name: 'Two' }, { name: 'Two' }],
      ['DELETE P/releases/v1', 200, { tag_name: 'v1' }],
      ['GET P/repository/contributors?order_by=commits&page=1&per_page=30', 200, [{ commits: 2 }]],
      ['GET P/repository/archive.zip?sha=main', 200],
      ['GET /users/root/projects', 200, []],
      ['POST P/archive', 201, { archived: true }],
      ['POST P/unarchive', 201, { archived: false }],
      ['PUT P/transfer', 200, { path_with_namespace: 'root/app' }, { namespace: 'root' }],
      ['DELETE /projects/root%2Fapp', 202, { message: '202 Accepted' }],
    ])
  })
})
