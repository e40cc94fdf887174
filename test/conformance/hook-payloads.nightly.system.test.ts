import { expect, test } from 'vitest'

import { HookReceiver, type Received } from '../coordinator/ci/signals/hook-receiver.js'
import { gitOk, workTree } from '../support/git-client.js'
import { Service } from './support/service.js'

/** A type for each key, in the order in which they are sent; `?` = or null. */
interface Shape {
  [key: string]: string | Shape | [Shape] | null
}

const PROJECT: Shape = {
  id: 'integer',
  name: 'string',
  description: 'string?',
  web_url: 'string',
  avatar_url: 'string?',
  git_ssh_url: 'string',
  git_http_url: 'string',
  namespace: 'string',
  visibility_level: 'integer',
  path_with_namespace: 'string',
  default_branch: 'string',
  ci_config_path: 'string?',
  homepage: 'string',
  url: 'string',
  ssh_url: 'string',
  http_url: 'string',
}
const REPOSITORY: Shape = {
  name: 'string',
  url: 'string',
  description: 'string?',
  homepage: 'string',
  git_http_url: 'string',
  git_ssh_url: 'string',
  visibility_level: 'integer',
}
const USER: Shape = {
  id: 'integer',
  name: 'string',
  username: 'string',
  avatar_url: 'string?',
  email: 'string',
}
const COMMIT: Shape = {
  id: 'sha',
  message: 'string',
  title: 'string',
  timestamp: 'iso',
  url: 'string',
  author: { name: 'string', email: 'string' },
}
const RUNNER: Shape = {
  id: 'integer',
  description: 'string?',
  runner_type: 'string',
  active: 'boolean',
  is_shared: 'boolean',
  tags: 'strings',
}
const ENVIRONMENT: Shape = { name: 'string', action: 'string?', deployment_tier: 'string' }

const PUSH: Shape = {
  object_kind: 'string',
  event_name: 'string',
  before: 'sha',
  after: 'sha',
  ref: 'string',
  ref_protected: 'boolean',
  checkout_sha: 'sha',
  message: 'string?',
  user_id: 'integer',
  user_name: 'string',
  user_username: 'string',
  user_email: 'string',
  user_avatar: 'string?',
  project_id: 'integer',
  project: PROJECT,
  commits: [{ ...COMMIT, added: 'strings', modified: 'strings', removed: 'strings' }],
  total_commits_count: 'integer',
  push_options: 'object',
  repository: REPOSITORY,
}

const JOB: Shape = {
  object_kind: 'string',
  ref: 'string',
  tag: 'boolean',
  before_sha: 'sha',
  sha: 'sha',
  retries_count: 'integer',
  build_id: 'integer',
  build_name: 'string',
  build_stage: 'string',
  build_status: 'string',
  build_created_at: 'time',
  build_created_at_iso: 'iso',
  build_started_at: 'time',
  build_started_at_iso: 'iso',
  build_finished_at: 'time',
  build_finished_at_iso: 'iso',
  build_duration: 'number',
  build_queued_duration: 'number',
  build_allow_failure: 'boolean',
  build_failure_reason: 'string',
  pipeline_id: 'integer',
  runner: RUNNER,
  project_id: 'integer',
  project_name: 'string',
  user: USER,
  commit: {
    id: 'integer',
    name: 'string?',
    sha: 'sha',
    message: 'string',
    author_name: 'string',
    author_email: 'string',
    author_url: 'string',
    status: 'string',
    duration: 'number?',
    started_at: 'time',
    finished_at: 'time?',
  },
  repository: REPOSITORY,
  project: PROJECT,
  environment: ENVIRONMENT,
}

const PIPELINE: Shape = {
  object_kind: 'string',
  object_attributes: {
    id: 'integer',
    iid: 'integer',
    name: 'string?',
    ref: 'string',
    tag: 'boolean',
    sha: 'sha',
    before_sha: 'sha',
    source: 'string',
    status: 'string',
    detailed_status: 'string',
    stages: 'strings',
    created_at: 'time',
    finished_at: 'time',
    duration: 'integer',
    queued_duration: 'integer',
    variables: [{ key: 'string', value: 'string' }],
    url: 'string',
  },
  merge_request: null,
  user: USER,
  project: PROJECT,
  commit: COMMIT,
  builds: [
    {
      id: 'integer',
      stage: 'string',
      name: 'string',
      status: 'string',
      created_at: 'time',
      started_at: 'time',
      finished_at: 'time',
      duration: 'number',
      queued_duration: 'number',
      failure_reason: 'string?',
      when: 'string',
      manual: 'boolean',
      allow_failure: 'boolean',
      user: USER,
      runner: RUNNER,
      artifacts_file: { filename: 'string?', size: 'integer?' },
      environment: ENVIRONMENT,
    },
  ],
}

const DEPLOYMENT: Shape = {
  object_kind: 'string',
  status: 'string',
  status_changed_at: 'time',
  deployment_id: 'integer',
  deployable_id: 'integer',
  deployable_url: 'string',
  environment: 'string',
  environment_tier: 'string',
  environment_slug: 'string',
  environment_external_url: 'string?',
  project: PROJECT,
  ref: 'string',
  short_sha: 'string',
  user: USER,
  user_url: 'string',
  commit_url: 'string',
  commit_title: 'string',
}

const RELEASE: Shape = {
  id: 'integer',
  created_at: 'time',
  description: 'string?',
  name: 'string',
  released_at: 'time',
  tag: 'string',
  object_kind: 'string',
  project: PROJECT,
  url: 'string',
  action: 'string',
  assets: {
    count: 'integer',
    links: [{ id: 'integer', external: 'boolean', link_type: 'string', name: 'string', url: 'string' }],
    sources: [{ format: 'string', url: 'string' }],
  },
  commit: COMMIT,
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null,
  sha: (value) => /^[0-9a-f]{40}$/.test(String(value)),
  time: (value) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(String(value)),
  iso: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(String(value)),
}

const NOTE: Shape = {
  object_kind: 'string',
  event_type: 'string',
  user: USER,
  project_id: 'integer',
  project: PROJECT,
  object_attributes: {
    attachment: null,
    author_id: 'integer',
    change_position: null,
    commit_id: 'sha',
    created_at: 'time',
    discussion_id: null,
    id: 'integer',
    line_code: null,
    note: 'string',
    noteable_id: null,
    noteable_type: 'string',
    original_position: null,
    position: null,
    project_id: 'integer',
    resolved_at: null,
    resolved_by_id: null,
    resolved_by_push: null,
    st_diff: null,
    system: 'boolean',
    type: null,
    updated_at: 'time',
    updated_by_id: null,
    description: 'string',
    url: 'string',
    action: 'string',
  },
  repository: { name: 'string', url: 'string', description: 'string?', homepage: 'string' },
  commit: COMMIT,
}

const WIKI_PAGE: Shape = {
  object_kind: 'string',
  user: USER,
  project: PROJECT,
  wiki: {
    web_url: 'string',
    git_ssh_url: 'string',
    git_http_url: 'string',
    path_with_namespace: 'string',
    default_branch: 'string',
  },
  object_attributes: {
    slug: 'string',
    title: 'string',
    format: 'string',
    message: 'string',
    version_id: 'sha',
    content: 'string',
    url: 'string',
    action: 'string',
    diff_url: 'string',
  },
}

/** Every way in which the value is not of the shape. */
function problems(shape: Shape[string], value: unknown, path: string): string[] {
  if (shape === null) return value === null ? [] : [`${path} is ${JSON.stringify(value)}`]
  if (typeof shape === 'string') {
    if (shape.endsWith('?') && value === null) return []
    return TYPES[shape.replace('?', '')]?.(value) ? [] : [`${path} is ${JSON.stringify(value)}, no ${shape}`]
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) return [`${path} is ${JSON.stringify(value)}, no list`]
    return value.flatMap((item, index) => problems(shape[0], item, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return [`${path} is ${JSON.stringify(value)}`]
  const [given, wanted] = [Object.keys(value).join(' '), Object.keys(shape).join(' ')]
  if (given !== wanted) return [`${path} has ${given}, not ${wanted}`]
  return Object.entries(value).flatMap(([key, item]) => problems(shape[key] ?? null, item, `${path}.${key}`))
}

const CI_FILE = `
deploy:
  script: make
  variables: { A: b }
  environment: { name: staging/one, url: "https://one.example.com" }
`
const FLAGS = {
  push_events: 1,
  tag_push_events: 1,
  job_events: 1,
  pipeline_events: 1,
  deployment_events: 1,
  releases_events: 1,
  wiki_page_events: 1,
  note_events: 1,
}

const isKind = (kind: string, status?: string) => (received: Received) =>
  received.body['object_kind'] === kind &&
  (status === undefined ||
    [received.body['status'], received.body['build_status'], objectStatus(received)].includes(status))

function objectStatus({ body }: Received): unknown {
  const attributes = body['object_attributes']
  return typeof attributes === 'object' && attributes !== null && 'status' in attributes
    ? attributes.status
    : undefined
}

test('hooks are sent every key of every event, in its order and with its type', async () => {
  const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
  const ann = await service.addPerson('ann')
  const receiver = await HookReceiver.start()
  const project = await service.json<{ id: number; path_with_namespace: string }>(
    'POST',
    '/projects',
    { name: 'app' },
    ann,
  )
  await service.json('POST', `/projects/${project.id}/hooks`, { url: receiver.url, ...FLAGS }, ann)

  const tree = await workTree({ '.gitlab-ci.yml': CI_FILE, b: '2' })
  const remote = `${service.url.replace('//', `//ann:${ann.token}@`)}/${project.path_with_namespace}.git`
  await gitOk(tree, 'push', '-q', '-f', '-o', 'ci.variable=DEPTH=3', remote, 'HEAD:main')
  const sha = await gitOk(tree, 'rev-parse', 'HEAD')
  const runner = await service.addRunner({ description: 'mine', tag_list: 'x,y', run_untagged: true })
  const job = await runner.takeJob()
  await runner.update(job, 'success')
  await gitOk(tree, 'tag', '-a', 'v1', '-m', 'First')
  await gitOk(tree, 'push', '-q', '-o', 'ci.skip', remote, 'v1')
  await service.json(
    'POST',
    `/projects/${project.id}/releases`,
    { tag_name: 'v1', assets: { links: [{ name: 'l', url: 'https://example.com/l' }] } },
    ann,
  )
  await service.json(
    'POST',
    `/projects/${project.id}/repository/commits/${sha}/comments`,
    { note: 'Why?' },
    ann,
  )
  await service.json('POST', `/projects/${project.id}/wikis`, { title: 'home', content: 'x' }, ann)
  await receiver.until(1, isKind('release'))

  const [push] = await receiver.until(1, isKind('push'))
  expect(problems(PUSH, push?.body, 'push')).toEqual([])
  expect(push?.body).toMatchObject({
    event_name: 'push',
    ref: 'refs/heads/main',
    after: sha,
    checkout_sha: sha,
    message: null,
    ref_protected: true,
    user_username: 'ann',
    total_commits_count: 1,
    commits: [{ id: sha, added: ['.gitlab-ci.yml', 'b'], modified: [], removed: [] }],
    push_options: { ci: { variable: { 'DEPTH=3': 1 } } },
  })
  const [tag] = await receiver.until(1, isKind('tag_push'))
  expect(problems({ ...PUSH, commits: 'strings' }, tag?.body, 'tag_push')).toEqual([])
  expect(tag?.body).toMatchObject({
    ref: 'refs/tags/v1',
    before: '0'.repeat(40),
    checkout_sha: sha,
    message: 'First',
    commits: [],
    total_commits_count: 0,
    push_options: { ci: { skip: true } },
  })
  expect(tag?.body['after']).not.toBe(sha)
  const [build] = await receiver.until(1, isKind('build', 'success'))
  expect(problems(JOB, build?.body, 'job')).toEqual([])
  const [pipeline] = await receiver.until(1, isKind('pipeline', 'success'))
  expect(problems(PIPELINE, pipeline?.body, 'pipeline')).toEqual([])
  expect(pipeline?.body).toMatchObject({
    object_attributes: { detailed_status: 'passed', stages: ['test'], variables: [{ key: 'DEPTH' }] },
    builds: [{ name: 'deploy', status: 'success' }],
  })
  const [deployment] = await receiver.until(1, isKind('deployment', 'success'))
  expect(problems(DEPLOYMENT, deployment?.body, 'deployment')).toEqual([])
  expect(deployment?.body).toMatchObject({ environment: 'staging/one', environment_tier: 'staging' })
  const [release] = await receiver.until(1, isKind('release'))
  expect(problems(RELEASE, release?.body, 'release')).toEqual([])
  const [page] = await receiver.until(1, isKind('wiki_page'))
  expect(problems(WIKI_PAGE, page?.body, 'wiki_page')).toEqual([])
  expect(page?.headers['x-gitlab-event']).toBe('Wiki Page Hook')

  const [note] = await receiver.until(1, isKind('note'))
  expect(problems(NOTE, note?.body, 'note')).toEqual([])
  expect(note?.body).toMatchObject({
    object_attributes: { note: 'Why?', commit_id: sha, noteable_type: 'Commit', action: 'create' },
    commit: { id: sha },
  })
  expect(note?.headers['x-gitlab-event']).toBe('Note Hook')

  // Each status of the one job and its pipeline, in their order.
  const statuses = (kind: string, of: (received: Received) => unknown) =>
    receiver.received.filter(isKind(kind)).map(of)
  expect(statuses('build', ({ body }) => body['build_status'])).toEqual([
    'created',
    'pending',
    'running',
    'success',
  ])
  expect(statuses('pipeline', objectStatus)).toEqual(['pending', 'running', 'success', 'skipped'])
  expect(statuses('deployment', ({ body }) => body['status'])).toEqual(['running', 'success'])
  expect(receiver.received.find(isKind('build', 'created'))?.body).toMatchObject({
    build_started_at: null,
    build_queued_duration: null,
    runner: null,
  })
})
