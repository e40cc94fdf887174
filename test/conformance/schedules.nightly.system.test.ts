import { expect, test } from 'vitest'

import { runPython } from './support/python.js'
import { type Person, refusalOf, type ServedProject, Service } from './support/service.js'

const FILES = { '.gitlab-ci.yml': 'build: { script: [make] }' }

async function openScene(): Promise<{ service: Service; project: ServedProject; maintainer: Person }> {
  const service = await Service.start()
  const maintainer = await service.addPerson('mia')
  const project = await service.addProject(FILES)
  const membership = { user_id: maintainer.id, access_level: 40 }
  await service.json('POST', `/projects/${project.id}/members`, membership)
  return { service, project, maintainer }
}

test('python-gitlab keeps triggers and schedules and starts pipelines by them', async () => {
  const { service, project, maintainer } = await openScene()
  const told = await runPython('schedules.py', {
    url: service.url,
    token: service.root.token,
    maintainer: maintainer.token,
    project: project.id,
  })
  expect(told).toEqual({
    paged: ['trigger 0', 'trigger 1', 'trigger 2'],
    changed: 'changed',
    foreign_token: true,
    started: { source: 'trigger', ref: 'main' },
    wrong_token: { kind: 'GitlabCreateError', status: 404, message: '404 Not Found' },
    wrong_ref: { kind: 'GitlabCreateError', status: 400, message: { base: ['Reference not found'] } },
    no_trigger: expect.objectContaining({ kind: 'GitlabGetError', status: 404 }) as object,
    schedule: { cron: '0 2 * * *', active: true, ref: 'refs/heads/main' },
    variables: [{ key: 'K', value: 'v', variable_type: 'env_var', raw: false }],
    pipelines: 1,
    once: { kind: 'GitlabPipelinePlayError', status: 429 },
    not_owner: 403,
    bad_cron: { kind: 'GitlabCreateError', status: 400, message: { cron: ['syntax is invalid'] } },
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Pipeline Schedule Not Found' },
  })
})

test('@gitbeaker/rest keeps triggers and schedules and starts pipelines by them', async () => {
  const { service, project, maintainer } = await openScene()
  const { id } = project
  const { PipelineTriggerTokens, PipelineSchedules, PipelineScheduleVariables } = service.root.gitbeaker
  const made = await PipelineTriggerTokens.create(id, 'first')
  await PipelineTriggerTokens.create(id, 'second')
  expect(await PipelineTriggerTokens.all(id, { perPage: 1 })).toHaveLength(2)
  expect(await PipelineTriggerTokens.edit(id, made.id, { description: 'changed' })).toMatchObject({
    description: 'changed',
  })
  expect(
    await PipelineTriggerTokens.trigger(id, 'main', made.token, { variables: { A: 'b' } }),
  ).toMatchObject({ source: 'trigger', ref: 'main' })
  expect(await refusalOf(PipelineTriggerTokens.trigger(id, 'main', 'glptt-of-nobody'))).toEqual({
    status: 404,
    description: '404 Not Found',
  })
  await PipelineTriggerTokens.remove(id, made.id)
  expect(await refusalOf(PipelineTriggerTokens.show(id, made.id))).toMatchObject({ status: 404 })

  const schedule = await PipelineSchedules.create(id, 'nightly', 'main', '0 1 * * 5', { active: false })
  expect(schedule).toMatchObject({ cron_timezone: 'UTC', active: false, owner: { username: 'root' } })
  expect(await PipelineSchedules.edit(id, schedule.id, { cron: '0 2 * * *' })).toMatchObject({
    cron: '0 2 * * *',
  })
  expect(await PipelineScheduleVariables.create(id, schedule.id, 'K', 'v')).toMatchObject({ key: 'K' })
  expect(await PipelineScheduleVariables.edit(id, schedule.id, 'K', 'w')).toMatchObject({ value: 'w' })
  await PipelineScheduleVariables.remove(id, schedule.id, 'K')
  await PipelineSchedules.run(id, schedule.id)
  expect(await PipelineSchedules.allTriggeredPipelines(id, schedule.id)).toHaveLength(1)
  const theirs = maintainer.gitbeaker.PipelineSchedules
  expect(await theirs.takeOwnership(id, schedule.id)).toMatchObject({ owner: { username: 'mia' } })
  expect(await refusalOf(PipelineSchedules.create(id, 'x', 'main', 'often'))).toEqual({
    status: 400,
    description: JSON.stringify({ cron: ['syntax is invalid'] }),
  })
  await PipelineSchedules.remove(id, schedule.id)
  expect(await PipelineSchedules.all(id)).toEqual([])
})
