import { describe, expect, test } from 'vitest'

import { createPipelineForMergeRequest } from '../../../../../src/coordinator/ci/engine/create/create-for-merge-request.js'
import { variablesOfStoredJob } from '../../../../../src/coordinator/ci/engine/jobs/job-variables.js'
import { loadStoredJob, type StoredJob } from '../../../../../src/coordinator/ci/engine/jobs/stored-job.js'
import {
  refusalToPlay,
  storedRunOf,
} from '../../../../../src/coordinator/ci/engine/permissions/refusal-to-run-on.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../../support/databases.js'
import { onlyDownstream, runBridgeTasks } from '../support/downstream.js'
import {
  concurrentCoordinator,
  jobNamed,
  jobsOf,
  openEngine,
  pipelineOf,
  reread,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { NO_SHA, SHA } from '../support/fake-repositories.js'
import { addMergeRequest, addVersion, BASE_SHA, pipelineOfMergeRequest } from '../support/merge-requests.js'
import { NOTHING_OUTSIDE } from '../support/nothing-outside.js'
import { addProject, addUser, protectBranch } from '../support/records.js'

const JOB = 'job: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID}]}'
const DEVELOPER = 30
const MAINTAINER = 40

async function storedJob(engine: TestEngine, pipeline: PipelineRow, name = 'job'): Promise<StoredJob> {
  const { id } = await jobNamed(engine, pipeline, name)
  return (await loadStoredJob(engine.deps.database, id)) as StoredJob
}

/** The variables of a job with these names; undefined for those that it does not have. */
async function valuesOf(
  engine: TestEngine,
  pipeline: PipelineRow,
  names: string[],
): Promise<Record<string, string | undefined>> {
  const job = await storedJob(engine, pipeline)
  const { seen } = await variablesOfStoredJob(engine.deps, job, { forOtherProject: false })
  return Object.fromEntries(names.map((name) => [name, seen.get(name)]))
}

function withLevel(engine: TestEngine, level: number): void {
  engine.deps.outside = { ...NOTHING_OUTSIDE, levelOf: async () => level }
}

describeOnDatabase('the pipeline of a merge request', (open) => {
  test('is for its ref and its head, and knows it', async () => {
    const engine = await openEngine(open)
    const mergeRequest = await addMergeRequest(engine)
    const pipeline = await pipelineOfMergeRequest(engine, mergeRequest, JOB)
    expect(pipeline).toMatchObject({
      ref: `refs/merge-requests/${mergeRequest.iid}/head`,
      tag: false,
      sha: SHA,
      before_sha: NO_SHA,
      source: 'merge_request_event',
      merge_request_id: mergeRequest.id,
      protected: false,
    })
    expect(engine.repositories.pipelineRefs).toContain(`${pipeline.id}:${SHA}`)
  })

  test('has variables about the merge request', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const { id: milestone_id } = await database
      .insertInto('milestone')
      .values({
        project_id: engine.project.id,
        iid: 1,
        title: 'v1',
        state: 'active',
        created_at: 1,
        updated_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const description = `${'é'.repeat(2700)}x`
    const mergeRequest = await addMergeRequest(engine, {
      title: 'Draft: $A',
      draft: true,
      milestone_id,
      description,
    })
    for (const [index, name] of ['slow', 'bug'].entries()) {
      const label = await database
        .insertInto('label')
        .values({ project_id: engine.project.id, name, color: '#fff', created_at: index, updated_at: index })
        .returning('id')
        .executeTakeFirstOrThrow()
      await database
        .insertInto('merge_request_label')
        .values({ merge_request_id: mergeRequest.id, label_id: label.id })
        .execute()
    }
    const second = await addUser(database)
    for (const [position, user] of [second, engine.user].entries()) {
      await database
        .insertInto('merge_request_assignee')
        .values({ merge_request_id: mergeRequest.id, user_id: user.id, position })
        .execute()
    }
    await protectBranch(engine.deps.database, engine.project.id, 'main')
    const pipeline = await pipelineOfMergeRequest(engine, mergeRequest, JOB)
    const version = await database
      .selectFrom('merge_request_version')
      .select('id')
      .where('merge_request_id', '=', mergeRequest.id)
      .executeTakeFirstOrThrow()
    const path = engine.project.full_path
    const url = `http://switchyard.example/${path}`
    const expected = {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_COMMIT_REF_NAME: 'feature',
      CI_COMMIT_REF_SLUG: 'feature',
      CI_COMMIT_BRANCH: undefined,
      CI_COMMIT_TAG: undefined,
      CI_COMMIT_REF_PROTECTED: 'false',
      CI_COMMIT_BEFORE_SHA: NO_SHA,
      CI_OPEN_MERGE_REQUESTS: `${path}!${mergeRequest.iid}`,
      CI_MERGE_REQUEST_ID: String(mergeRequest.id),
      CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
      CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${mergeRequest.iid}/head`,
      CI_MERGE_REQUEST_PROJECT_ID: String(engine.project.id),
      CI_MERGE_REQUEST_PROJECT_PATH: path,
      CI_MERGE_REQUEST_PROJECT_URL: url,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(engine.project.id),
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: path,
      CI_MERGE_REQUEST_SOURCE_PROJECT_URL: url,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
      CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED: 'false',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: 'true',
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
      CI_MERGE_REQUEST_TITLE: 'Draft: $A',
      CI_MERGE_REQUEST_DRAFT: 'true',
      CI_MERGE_REQUEST_DESCRIPTION: 'é'.repeat(2700),
      CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: 'true',
      CI_MERGE_REQUEST_ASSIGNEES: `${second.username},${engine.user.username}`,
      CI_MERGE_REQUEST_LABELS: 'bug,slow',
      CI_MERGE_REQUEST_MILESTONE: 'v1',
      CI_MERGE_REQUEST_SQUASH_ON_MERGE: 'false',
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
      CI_MERGE_REQUEST_DIFF_ID: String(version.id),
      CI_MERGE_REQUEST_DIFF_BASE_SHA: BASE_SHA,
    }
    expect(await valuesOf(engine, pipeline, Object.keys(expected))).toEqual(expected)
  })

  test('leaves lists out that are empty', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), JOB)
    const names = ['ASSIGNEES', 'LABELS', 'MILESTONE'].map((name) => `CI_MERGE_REQUEST_${name}`)
    expect(Object.values(await valuesOf(engine, pipeline, names))).toEqual([undefined, undefined, undefined])
  })

  test('compares the files of the diff with changes', async () => {
    const engine = await openEngine(open)
    engine.repositories.changed = ['docs/a.md']
    const file = `
docs: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID, changes: ["docs/*"]}]}
code: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID, changes: ["src/*"]}]}
`
    const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), file)
    expect((await jobsOf(engine, pipeline)).map(({ name }) => name)).toEqual(['docs'])
    expect([...engine.repositories.compared]).toEqual([`${BASE_SHA}..${SHA}`])
  })

  test('obeys the mark of its commit to skip the jobs', async () => {
    const engine = await openEngine(open)
    engine.repositories.message = 'Text only [skip ci]'
    const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), JOB)
    expect(pipeline.status).toBe('skipped')
  })

  test('shows the errors of its file', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), 'job: {scrip: x}')
    expect(pipeline).toMatchObject({ status: 'failed', failure_reason: 'config_error' })
  })

  test('outlives the merge request', async () => {
    const engine = await openEngine(open)
    const mergeRequest = await addMergeRequest(engine)
    const pipeline = await pipelineOfMergeRequest(engine, mergeRequest, JOB)
    await engine.deps.database.deleteFrom('merge_request').where('id', '=', mergeRequest.id).execute()
    expect((await reread(engine, pipeline)).merge_request_id).toBeNull()
    const values = await valuesOf(engine, pipeline, ['CI_COMMIT_BRANCH', 'CI_MERGE_REQUEST_IID'])
    expect(values).toEqual({ CI_COMMIT_BRANCH: undefined, CI_MERGE_REQUEST_IID: undefined })
  })

  test('gives its child pipelines the merge request', async () => {
    const engine = await openEngine(open)
    const mergeRequest = await addMergeRequest(engine)
    engine.repositories.files.set('child.yml', JOB)
    const file = 'start: {trigger: {include: child.yml}, rules: [{if: $CI_MERGE_REQUEST_IID}]}'
    const parent = await pipelineOfMergeRequest(engine, mergeRequest, file)
    await runBridgeTasks(engine.deps)
    const child = await onlyDownstream(engine, parent)
    expect(child).toMatchObject({
      source: 'parent_pipeline',
      ref: parent.ref,
      merge_request_id: mergeRequest.id,
    })
    const values = await valuesOf(engine, child, ['CI_PIPELINE_SOURCE', 'CI_COMMIT_REF_NAME'])
    expect(values).toEqual({ CI_PIPELINE_SOURCE: 'parent_pipeline', CI_COMMIT_REF_NAME: 'feature' })
  })

  test('makes older ones of the same merge request redundant, and no others', async () => {
    const engine = await openEngine(open)
    const mergeRequest = await addMergeRequest(engine)
    const other = await addMergeRequest(engine, { source_branch: 'other', iid: 1000 })
    const branch = await pipelineOf(engine, 'job: {script: x}', { ref: 'feature', sha: 'c'.repeat(40) })
    const older = await pipelineOfMergeRequest(engine, mergeRequest, JOB)
    const unrelated = await pipelineOfMergeRequest(engine, other, JOB)
    const moved = await addVersion(engine, mergeRequest, 'd'.repeat(40))
    const newer = await pipelineOfMergeRequest(engine, moved, JOB)
    expect((await statusesOf(engine, older)).pipeline).toBe('canceled')
    expect((await reread(engine, older)).auto_canceled_by_id).toBe(newer.id)
    expect((await statusesOf(engine, unrelated)).pipeline).toBe('pending')
    expect((await statusesOf(engine, branch)).pipeline).toBe('pending')
  })
})

describeOnDatabase('a pipeline of a branch', (open) => {
  test('names the newest open merge requests of the branch that its user may see', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const hidden = await addProject(database, engine.user)
    const visible = await addProject(database, engine.user)
    await database.updateTable('project').set({ visibility: 'public' }).where('id', '=', visible.id).execute()
    await addMergeRequest(engine, { source_branch: 'other', project_id: visible.id, iid: 1 })
    await addMergeRequest(engine, { state: 'closed', project_id: visible.id, iid: 2 })
    await addMergeRequest(engine, { project_id: hidden.id, iid: 3 })
    for (const iid of [4, 5, 6, 7, 8]) {
      const target_branch = `v${iid}`
      await addMergeRequest(engine, { project_id: visible.id, iid, target_branch })
    }
    const pipeline = await pipelineOf(engine, 'job: {script: x}', { ref: 'feature' })
    expect(await valuesOf(engine, pipeline, ['CI_OPEN_MERGE_REQUESTS', 'CI_COMMIT_BRANCH'])).toEqual({
      CI_OPEN_MERGE_REQUESTS: [8, 7, 6, 5].map((iid) => `${visible.full_path}!${iid}`).join(','),
      CI_COMMIT_BRANCH: 'feature',
    })
  })
})

describeOnEachDatabase('pipelines for one head of a merge request', (open) => {
  test('are not repeated, unless a user asks', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = JOB
    const mergeRequest = await addMergeRequest(engine)
    const wanted = { mergeRequest, project: engine.project, user: engine.user, mayRepeat: false }
    const creations = await Promise.all(
      [engine.deps, concurrentCoordinator(engine)].map((deps) => createPipelineForMergeRequest(deps, wanted)),
    )
    expect(creations.map(({ kind }) => kind).toSorted()).toEqual(['created', 'refused'])
    expect(await createPipelineForMergeRequest(engine.deps, wanted)).toMatchObject({ reason: 'duplicate' })
    const again = await createPipelineForMergeRequest(engine.deps, { ...wanted, mayRepeat: true })
    expect(again.kind).toBe('created')
  })
})

describe('the data of protected refs', () => {
  describeOnDatabase('are for the pipeline of a merge request', (open) => {
    test.each<[string, string[], number, boolean]>([
      ['of which no branch is protected', [], MAINTAINER, false],
      ['of which only the target is protected', ['main'], MAINTAINER, false],
      ['of which only the source is protected', ['feature'], MAINTAINER, false],
      ['whose user may write to both protected branches', ['main', 'feature'], MAINTAINER, true],
      ['whose user may not write to them', ['main', 'feature'], DEVELOPER, false],
    ])('%s (%j, level %d): %j', async (_, branches, level, isProtected) => {
      const engine = await openEngine(open)
      withLevel(engine, level)
      for (const branch of branches) await protectBranch(engine.deps.database, engine.project.id, branch)
      const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), JOB)
      expect(pipeline.protected).toBe(isProtected)
      expect((await jobNamed(engine, pipeline, 'job')).protected).toBe(isProtected)
    })

    test('not for that of a fork, in the fork or in the target', async () => {
      const engine = await openEngine(open)
      const fork = await addProject(engine.deps.database, engine.user)
      for (const project of [engine.project, fork]) {
        await protectBranch(engine.deps.database, project.id, 'main')
        await protectBranch(engine.deps.database, project.id, 'feature')
      }
      const mergeRequest = await addMergeRequest(engine, { source_project_id: fork.id })
      const inFork = await pipelineOfMergeRequest(engine, mergeRequest, JOB, { project: fork })
      const inTarget = await pipelineOfMergeRequest(engine, mergeRequest, JOB, { mayRepeat: true })
      expect([inFork.protected, inTarget.protected]).toEqual([false, false])
      expect([inFork.project_id, inTarget.project_id]).toEqual([fork.id, engine.project.id])
    })

    test('and only users who may write to both branches may start its jobs', async () => {
      const engine = await openEngine(open)
      await protectBranch(engine.deps.database, engine.project.id, 'main')
      await protectBranch(engine.deps.database, engine.project.id, 'feature')
      const mergeRequest = await addMergeRequest(engine)
      const isProtected = await pipelineOfMergeRequest(engine, mergeRequest, JOB)
      withLevel(engine, DEVELOPER)
      const others = await pipelineOfMergeRequest(engine, mergeRequest, JOB, { mayRepeat: true })
      const reasons = []
      for (const pipeline of [isProtected, others]) {
        const refusal = await refusalToPlay(engine.deps, engine, storedRunOf(pipeline))
        reasons.push(refusal?.reason)
      }
      expect(reasons).toEqual(['protected-ref', undefined])
    })

    test('no longer when a branch has lost its protection before a retry', async () => {
      const engine = await openEngine(open)
      await protectBranch(engine.deps.database, engine.project.id, 'main')
      await protectBranch(engine.deps.database, engine.project.id, 'feature')
      const pipeline = await pipelineOfMergeRequest(engine, await addMergeRequest(engine), JOB)
      await succeed(engine, await takeJob(engine, 'job'))
      await engine.deps.database.deleteFrom('protected_ref').where('name', '=', 'main').execute()
      await retryJob(engine.deps, await jobNamed(engine, pipeline, 'job'), engine.user)
      expect((await jobNamed(engine, pipeline, 'job')).protected).toBe(false)
    })
  })
})
