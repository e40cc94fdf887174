import { AccessLevel } from '@gitbeaker/rest'
import { expect, test } from 'vitest'

import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

test('python-gitlab makes groups, gives members, shares and removes', async () => {
  const service = await Service.start()
  const [ann, bob] = [await service.addPerson('ann'), await service.addPerson('bob')]
  const given = { url: service.url, token: ann.token, other: bob.token }
  expect(await runPython('groups.py', given)).toEqual({
    record: ['All of it', 'private', 'Top'],
    hidden: 404,
    pages: ['sub-0', 'sub-1', 'sub-2'],
    below: 3,
    projects: ['it'],
    taken: 409,
    too_much: 403,
    inherited: 40,
    seen: 20,
    clash: 400,
    namespaces: ['top/sub-0'],
    deleted: null,
    gone: 404,
  })
})

test('@gitbeaker/rest makes groups, gives members, shares and removes', async () => {
  const service = await Service.start()
  const { gitbeaker: api } = await service.addPerson('ann')
  const { gitbeaker: other } = await service.addPerson('bob')
  const bob = await other.Users.showCurrentUser()
  const top = await api.Groups.create('Top', 'top')
  for (const path of ['a', 'b', 'c']) await api.Groups.create(path, path, { parentId: top.id })
  const subgroups = await api.Groups.allSubgroups(top.id, { perPage: 2 })
  expect(subgroups.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  expect(await api.Groups.edit(top.id, { description: 'All of it' })).toMatchObject({
    description: 'All of it',
  })
  expect((await refusalOf(other.Groups.show(top.id))).status).toBe(404)
  await api.GroupMembers.add(top.id, AccessLevel.DEVELOPER, { userId: bob.id })
  expect(
    (await refusalOf(api.GroupMembers.add(top.id, AccessLevel.DEVELOPER, { userId: bob.id }))).status,
  ).toBe(409)
  expect(await api.GroupMembers.edit(top.id, bob.id, AccessLevel.MAINTAINER)).toMatchObject({
    access_level: 40,
  })
  const project = await api.Projects.create({ name: 'It', namespaceId: top.id })
  const everyone = await api.ProjectMembers.all(project.id, { includeInherited: true })
  expect(everyone).toHaveLength(2)
  await api.GroupMembers.remove(top.id, bob.id)
  const team = await other.Groups.create('Team', 'team', { visibility: 'internal' })
  await api.Projects.share(project.id, team.id, 20)
  expect(await other.Projects.show(project.id)).toMatchObject({ shared_with_groups: [{ group_id: team.id }] })
  await api.Projects.unshare(project.id, team.id)
  await api.Groups.remove(top.id)
  expect((await refusalOf(api.Groups.show(top.id))).status).toBe(404)
})
