import { expect, test } from 'vitest'

import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

test('python-gitlab keeps variables of projects, groups and the instance', async () => {
  const service = await Service.start()
  const project = await service.addProject()
  const group = await service.root.gitbeaker.Groups.create('Team', 'team')
  const stranger = await service.addPerson('stranger')
  const seen = {
    paged: ['K0', 'K1', 'K2'],
    changed: ['changed', true, 'env_var'],
    left: ['K0', 'K2'],
    absent: { kind: 'GitlabGetError', status: 404, message: '404 Variable Not Found' },
    taken: {
      kind: 'GitlabCreateError',
      status: 400,
      message: { key: ['(K0) has already been taken'] },
    },
    unmaskable: { kind: 'GitlabCreateError', status: 400, message: { value: ['is invalid'] } },
    nameless: {
      kind: 'GitlabCreateError',
      status: 400,
      message: { key: ["can contain only letters, digits and '_'."] },
    },
  }
  const told = await runPython('variables.py', {
    url: service.url,
    token: service.root.token,
    stranger: stranger.token,
    project: project.id,
    group: group.id,
  })
  expect(told).toEqual({
    project: {
      ...seen,
      ambiguous: {
        kind: 'GitlabGetError',
        status: 409,
        message:
          "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
      },
      by_scope: 'for prod',
    },
    group: seen,
    instance: seen,
    stranger: { kind: 'GitlabListError', status: 403, message: '403 Forbidden' },
  })
})

test('@gitbeaker/rest keeps variables of projects, groups and the instance', async () => {
  const service = await Service.start()
  const project = await service.addProject()
  const { gitbeaker } = service.root
  const group = await gitbeaker.Groups.create('Team', 'team')
  for (const [variables, id] of [
    [gitbeaker.ProjectVariables, project.id],
    [gitbeaker.GroupVariables, group.id],
  ] as const) {
    for (const key of ['A', 'B', 'C']) await variables.create(id, key, `value of ${key}`)
    expect((await variables.all(id, { perPage: 2 })).map(({ key }) => key)).toEqual(['A', 'B', 'C'])
    expect(
      await variables.edit(id, 'A', 'changed', { protected: true, filter: { environment_scope: '*' } }),
    ).toMatchObject({
      key: 'A',
      value: 'changed',
      protected: true,
    })
    expect(await variables.show(id, 'A')).toMatchObject({ value: 'changed' })
    await variables.remove(id, 'B')
    expect(await refusalOf(variables.show(id, 'B'))).toEqual({
      status: 404,
      description: '404 Variable Not Found',
    })
    expect(await refusalOf(variables.create(id, 'A', 'x'))).toEqual({
      status: 400,
      description: JSON.stringify({ key: ['(A) has already been taken'] }),
    })
  }
  const scoped = gitbeaker.ProjectVariables
  await scoped.create(project.id, 'A', 'for prod', { environmentScope: 'prod' })
  expect(await refusalOf(scoped.show(project.id, 'A'))).toMatchObject({ status: 409 })
  const filter = { environment_scope: 'prod' }
  expect(await scoped.show(project.id, 'A', { filter })).toMatchObject({ value: 'for prod' })
  expect(await scoped.edit(project.id, 'A', 'other', { filter })).toMatchObject({ value: 'other' })
  await scoped.remove(project.id, 'A', { filter })
  expect(await scoped.show(project.id, 'A')).toMatchObject({ value: 'changed' })

  const instance = gitbeaker.InstanceLevelCICDVariables
  await instance.create('I', 'value')
  expect(await instance.edit('I', 'changed')).toMatchObject({ value: 'changed' })
  expect(await instance.all()).toMatchObject([{ key: 'I' }])
  // To remove one, this version of the client asks for it.
  expect(await refusalOf(instance.show('J'))).toMatchObject({ status: 404 })
})
