import { expect, test } from 'vitest'

import { testAtNight } from '../support/nightly.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

testAtNight('python-gitlab registers, lists, changes, shares and deletes runners', async () => {
  const service = await Service.start()
  const [project, other] = [await service.addProject(), await service.addProject()]
  const stranger = await service.addPerson('stranger')
  const told = await runPython<{ made: number[]; created: { id: number } }>('runners.py', {
    url: service.url,
    token: service.root.token,
    stranger: stranger.token,
    project: project.id,
    other: other.id,
    registration: service.registrationToken,
  })
  const [, second] = told.made
  expect(told).toEqual({
    made: told.made,
    paged: ['runner 2', 'runner 1', 'runner 0'],
    both_tags: [second],
    changed: {
      description: 'changed',
      tag_list: ['linux'],
      active: false,
      paused: true,
      status: 'paused',
      maximum_timeout: 900,
    },
    jobs: [],
    created: {
      id: told.created.id,
      token: expect.stringMatching(/^glrt-/) as string,
      token_expires_at: null,
    },
    shared_with: [told.created.id],
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Runner Not Found' },
    bad_scope: { kind: 'GitlabListError', status: 400, message: 'Scope contains invalid value' },
    bad_token: { kind: 'GitlabVerifyError', status: 403, message: '403 Forbidden' },
    bad_registration: {
      kind: 'GitlabCreateError',
      status: 403,
      message: '403 Forbidden - invalid token supplied',
    },
    no_tags: {
      kind: 'GitlabHttpError',
      status: 400,
      message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
    },
    last_project: {
      kind: 'GitlabDeleteError',
      status: 403,
      message:
        '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
    },
    not_all: { kind: 'GitlabListError', status: 403, message: '403 Forbidden' },
    not_mine: { kind: 'GitlabDeleteError', status: 403, message: '403 Forbidden - No access granted' },
  })
})

test('@gitbeaker/rest registers, lists, changes, shares and deletes runners', async () => {
  const service = await Service.start()
  const [project, other] = [await service.addProject(), await service.addProject()]
  const { Runners } = service.root.gitbeaker
  const made: number[] = []
  for (let number = 0; number < 3; number++) {
    const tagList = ['docker', `n${number}`]
    const description = `runner ${number}`
    made.push((await Runners.register(service.registrationToken, { tagList, description })).id)
  }
  const [first = 0, second = 0, third = 0] = made
  const paged = await Runners.all({ perPage: 2 })
  expect(paged.map(({ id }) => id)).toEqual([third, second, first])
  expect(await Runners.all({ tagList: ['docker', 'n1'] })).toMatchObject([{ id: second }])
  expect(
    await Runners.edit(second, { description: 'changed', tagList: ['linux'], paused: true }),
  ).toMatchObject({ description: 'changed', tag_list: ['linux'], paused: true })
  expect(await Runners.show(second)).toMatchObject({ status: 'paused', online: null, projects: [] })
  await Runners.remove({ runnerId: second })
  expect(await refusalOf(Runners.show(second))).toEqual({ status: 404, description: '404 Runner Not Found' })

  const { id } = await service.root.gitbeaker.Users.createCIRunner('project_type', {
    projectId: project.id,
    tagList: ['own'],
  })
  expect(await Runners.enable(other.id, id)).toMatchObject({ id, runner_type: 'project_type' })
  expect((await Runners.all({ projectId: other.id })).map((each) => each.id)).toContain(id)
  await Runners.disable(other.id, id)
  expect(await refusalOf(Runners.disable(project.id, id))).toMatchObject({ status: 403 })
  expect(await Runners.allJobs(first)).toEqual([])
})
