import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { zipOf } from '../coordinator/support/zip.js'
import { testAtNight } from '../support/nightly.js'
import { runPython } from './support/python.js'
import { refusalOf, type ServedProject, Service } from './support/service.js'

const CI_FILE = `
stages: [build, deploy]
build: { stage: build, script: [make], artifacts: { paths: [dist], expire_in: 1 week } }
ship: { stage: deploy, script: [ship], when: manual, allow_failure: true }
`

interface Scene {
  service: Service
  project: ServedProject
  /** One whose job `build` has succeeded, with a log and an archive, and whose job `ship` waits for a user. */
  pipelineId: number
}

async function openScene(): Promise<Scene> {
  const service = await Service.start()
  const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE })
  const runner = await service.addRunner()
  const job = await runner.takeJob()
  await runner.patch(job, '0-4', 'hello')
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': 'first' })))
  await runner.update(job, 'success')
  return { service, project, pipelineId: job.job_info.pipeline_id ?? 0 }
}

test('python-gitlab runs pipelines, plays jobs and fetches what they leave', async () => {
  const { service, project, pipelineId } = await openScene()
  const stranger = await service.addPerson('stranger')
  const told = await runPython<{ listed: number[]; archives: number[] }>('jobs.py', {
    url: service.url,
    token: service.root.token,
    stranger: stranger.token,
    project: project.id,
    pipeline: pipelineId,
  })
  const [size = 0] = told.archives
  expect(size).toBeGreaterThan(100)
  expect(told).toEqual({
    created: { ref: 'main', source: 'api', project_id: project.id, status: 'pending' },
    listed: [told.listed[0], pipelineId],
    variables: [
      { key: 'A', value: 'b', variable_type: 'env_var' },
      { key: 'F', value: 'x', variable_type: 'file' },
    ].map((variable) => expect.objectContaining(variable) as object),
    canceled: 'canceled',
    retried: 'running',
    report: 0,
    names: ['build', 'ship'],
    scoped: ['build', 'ship'],
    of_project: ['build'],
    build: { status: 'success', runner: true, pipeline: pipelineId },
    trace: 'hello',
    archives: [size, true, size],
    files: ['first', 'first'],
    kept: null,
    played: 'pending',
    again: { is_new: true, name: 'ship' },
    without: { kind: 'GitlabGetError', status: 404, message: '404 Not found' },
    erased: [true, []],
    unplayable: { kind: 'GitlabJobPlayError', status: 400, message: '400 Bad request - Unplayable Job' },
    not_erasable: {
      kind: 'GitlabJobEraseError',
      status: 403,
      message: '403 Forbidden - Job is not erasable!',
    },
    no_pipeline: { kind: 'GitlabGetError', status: 404, message: '404 Not found' },
    no_ref: { kind: 'GitlabCreateError', status: 400, message: { base: ['Reference not found'] } },
    bad_scope: { kind: 'GitlabListError', status: 400, message: 'scope does not have a valid value' },
    bad_path: expect.objectContaining({ kind: 'GitlabGetError' }) as object,
    deleted: [null, 404],
    stranger: { kind: 'GitlabGetError', status: 404, message: '404 Project Not Found' },
    void_job: { kind: 'GitlabAuthenticationError', status: 401, message: '401 Unauthorized' },
  })
})

testAtNight('@gitbeaker/rest runs pipelines, plays jobs and fetches what they leave', async () => {
  const { service, project, pipelineId } = await openScene()
  const { Jobs, JobArtifacts, Pipelines } = service.root.gitbeaker
  const { id } = project
  const created = await Pipelines.create(id, 'main', { variables: [{ key: 'A', value: 'b' }] })
  expect(created).toMatchObject({ ref: 'main', source: 'api', project_id: id })
  expect((await Pipelines.all(id, { perPage: 1 })).map((each) => each.id)).toEqual([created.id, pipelineId])
  expect(await Pipelines.all(id, { status: 'success' })).toMatchObject([{ id: pipelineId }])
  expect(await Pipelines.allVariables(id, created.id)).toMatchObject([{ key: 'A', value: 'b' }])
  expect(await Pipelines.cancel(id, created.id)).toMatchObject({ status: 'canceled' })
  expect(await Pipelines.retry(id, created.id)).toMatchObject({ status: 'running' })
  expect(await Pipelines.showLatest(id)).toMatchObject({ id: created.id })
  expect(await Pipelines.showTestReport(id, pipelineId)).toMatchObject({ total_count: 0, test_suites: [] })

  const jobs = await Jobs.all(id, { pipelineId, perPage: 1 })
  const named = (name: string): number => jobs.find((job) => job.name === name)?.id ?? 0
  const [build, ship] = [named('build'), named('ship')]
  expect(await Jobs.all(id, { scope: 'success' })).toMatchObject([{ id: build }])
  expect(await Jobs.show(id, build)).toMatchObject({
    status: 'success',
    artifacts_file: { filename: 'artifacts.zip' },
  })
  expect(await Jobs.showLog(id, build)).toBe('hello')
  const archive = await JobArtifacts.downloadArchive(id, { jobId: build })
  const byRef = await JobArtifacts.downloadArchive(id, { ref: 'main', job: 'build' })
  expect(Buffer.from(await byRef.arrayBuffer()).equals(Buffer.from(await archive.arrayBuffer()))).toBe(true)
  // The client decodes text responses.
  expect(await JobArtifacts.downloadArchive(id, { jobId: build, artifactPath: 'dist/a.txt' })).toBe('first')
  expect(await JobArtifacts.keep(id, build)).toMatchObject({ artifacts_expire_at: null })
  expect(await Jobs.play(id, ship, { jobVariablesAttributes: [{ key: 'K', value: 'v' }] })).toMatchObject({
    status: 'pending',
  })
  expect(await Jobs.cancel(id, ship)).toMatchObject({ status: 'canceled' })
  expect((await Jobs.retry(id, ship)).id).not.toBe(ship)
  await JobArtifacts.remove(id, { jobId: build })
  expect(await refusalOf(JobArtifacts.downloadArchive(id, { jobId: build }))).toMatchObject({ status: 404 })
  expect(await Jobs.erase(id, build)).toMatchObject({
    erased_at: expect.any(String) as string,
    artifacts: [],
  })
  expect(await refusalOf(Jobs.erase(id, build))).toEqual({
    status: 403,
    description: '403 Forbidden - Job is not erasable!',
  })
  expect(await refusalOf(Pipelines.create(id, 'none'))).toEqual({
    status: 400,
    description: JSON.stringify({ base: ['Reference not found'] }),
  })
  await Pipelines.remove(id, created.id)
  expect(await refusalOf(Pipelines.show(id, created.id))).toMatchObject({ status: 404 })
})
