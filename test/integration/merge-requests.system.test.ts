import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { testAtNight } from '../support/nightly.js'
import { Api, type PipelineRecord } from './support/api.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'
import { until } from './support/until.js'

interface MergeRequestRecord {
  iid: number
  sha: string
  head_pipeline: (PipelineRecord & { project_id: number; source: string }) | null
}

/** The pipeline of the merge request for its head, as soon as it exists. */
function pipelineOf(project: TestProject, iid: number, sha: string) {
  return until('the pipeline of the merge request', async () => {
    const response = await project.request('GET', `/merge_requests/${iid}`)
    const { head_pipeline: pipeline } = (await response.json()) as MergeRequestRecord
    return pipeline?.sha === sha && pipeline.source === 'merge_request_event' ? pipeline : undefined
  })
}

describe('merge requests', () => {
  let system: System

  beforeAll(async () => {
    system = await System.startInProcess()
  })

  afterAll(async () => {
    await system.stop()
  })

  testAtNight('a merge request runs its pipeline on a runner, for each push to its branch', async () => {
    await system.startRunner()
    const project = await system.createProject()
    await project.pushCi(`
branch: {rules: [{if: $CI_COMMIT_BRANCH}], script: ["echo branch"]}
review:
  rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]
  script:
    - echo "$CI_COMMIT_REF_NAME into $CI_MERGE_REQUEST_TARGET_BRANCH_NAME, $CI_OPEN_MERGE_REQUESTS"
    - cat new.txt
`)
    const branch = await project.push({ 'new.txt': 'first\n' }, 'feature')
    const reply = await project.request('POST', '/merge_requests', {
      source_branch: 'feature',
      target_branch: 'main',
      title: 'Add a file',
    })
    expect(reply.status).toBe(201)
    const { iid } = (await reply.json()) as MergeRequestRecord
    const first = await pipelineOf(project, iid, branch.sha)
    expect((await project.finished(first)).status).toBe('success')
    expect(await project.statuses(first)).toEqual({ review: 'success' })
    const trace = await project.trace(await project.job(first, 'review'))
    expect(trace).toContain(`feature into main, ${project.path}!${iid}`)
    expect(trace).toContain('first')
    expect(trace).toContain(`refs/merge-requests/${iid}/head`)

    const { sha } = await project.push({ 'new.txt': 'second\n' }, 'feature')
    const second = await pipelineOf(project, iid, sha)
    expect((await project.finished(second)).status).toBe('success')
    expect(await project.trace(await project.job(second, 'review'))).toContain('second')
  })

  test('a fork gets no protected variable and no runner of the target, which a developer of the target may lend', async () => {
    const { api } = system
    const target = await api.json<{ id: number; runners_token: string }>('POST', '/projects', {
      name: 'target',
      visibility: 'public',
    })
    await system.startRunner({ tags: ['shared'], runUntagged: false })
    const ofTarget = ['--registration-token', target.runners_token]
    await system.startRunner({ tags: ['target'], runUntagged: false, flags: ofTarget })
    for (const [key, isProtected] of [
      ['PROTECTED', true],
      ['OPEN', false],
    ]) {
      await api.json('POST', `/projects/${target.id}/variables`, {
        key,
        value: `value-of-${key}`,
        protected: isProtected,
      })
    }
    const file = `
workflow: {rules: [{if: $CI_MERGE_REQUEST_IID}]}
.job: {script: ['echo "[$PROTECTED][$OPEN] in $CI_PROJECT_ID"']}
shared: {extends: .job, tags: [shared]}
target: {extends: .job, tags: [target]}
`
    const commit = (on: Api, id: number, body: object) =>
      on.json<{ id: string }>('POST', `/projects/${id}/repository/commits`, {
        commit_message: 'Change',
        ...body,
      })
    await commit(api, target.id, {
      branch: 'main',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: file }],
    })

    const ann = await contributor(api, 'ann')
    const fork = await ann.json<{ id: number }>('POST', `/projects/${target.id}/fork`)
    await until('the fork to be filled', async () => {
      const { import_status } = await ann.json<{ import_status: string }>('GET', `/projects/${fork.id}`)
      return import_status === 'finished' || undefined
    })
    const { id: sha } = await commit(ann, fork.id, {
      branch: 'main',
      actions: [{ action: 'create', file_path: 'new.txt', content: 'x' }],
    })
    const { iid } = await ann.json<MergeRequestRecord>('POST', `/projects/${fork.id}/merge_requests`, {
      source_branch: 'main',
      target_branch: 'main',
      title: 'From a fork',
      target_project_id: target.id,
    })

    const pipelines = (): Promise<(PipelineRecord & { project_id: number })[]> =>
      api.json('GET', `/projects/${target.id}/merge_requests/${iid}/pipelines`)
    const inFork = await until('the pipeline of the fork', async () => (await pipelines())[0])
    expect(inFork).toMatchObject({ project_id: fork.id, sha })
    expect(await traceOf(api, inFork, 'shared')).toContain(`[][] in ${fork.id}`)

    const inTarget = await api.json<typeof inFork>(
      'POST',
      `/projects/${target.id}/merge_requests/${iid}/pipelines`,
    )
    expect(inTarget).toMatchObject({ project_id: target.id, sha, protected: false })
    expect(await traceOf(api, inTarget, 'target')).toContain(`[][value-of-OPEN] in ${target.id}`)

    const [waiting] = (await api.jobs(fork.id, inFork.id)).filter(({ name }) => name === 'target')
    expect(waiting).toMatchObject({ status: 'pending', runner: null })
    await api.json('POST', `/projects/${fork.id}/pipelines/${inFork.id}/cancel`)
  })
})

/** A new user without rights in any project. */
async function contributor(api: Api, username: string): Promise<Api> {
  const { id } = await api.json<{ id: number }>('POST', '/users', {
    username,
    name: username,
    email: `${username}@example.com`,
    password: 'a long enough password',
    skip_confirmation: true,
  })
  const { token } = await api.json<{ token: string }>('POST', `/users/${id}/personal_access_tokens`, {
    name: 'test',
    scopes: ['api'],
    expires_at: new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10),
  })
  return new Api(api.url, token)
}

/** The log of a job, after its success. */
async function traceOf(
  api: Api,
  { project_id, id }: PipelineRecord & { project_id: number },
  name: string,
): Promise<string> {
  const job = await until(`job ${name} to succeed`, async () =>
    (await api.jobs(project_id, id)).find((each) => each.name === name && each.status === 'success'),
  )
  return api.trace(project_id, job.id)
}
