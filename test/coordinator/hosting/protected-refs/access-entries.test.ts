import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { addRepositoryMember, openRepositoryApi, seedDefaultBranch } from '../../support/repository-api.js'

describeOnDatabase('users and groups that a rule names', (open) => {
  test('may push without the role, but others of the same role may not', async () => {
    const api = await openRepositoryApi(open)
    await seedDefaultBranch(api)
    const named = await addRepositoryMember(api, 'named', 30)
    const inGroup = await addRepositoryMember(api, 'in-group', 30)
    const other = await addRepositoryMember(api, 'other', 30)
    const reporter = await addRepositoryMember(api, 'reporter', 20)
    const group = await api.database
      .insertInto('namespace')
      .values({
        kind: 'group',
        name: 'Team',
        path: 'team',
        full_path: 'team',
        visibility: 'private',
        created_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.database
      .insertInto('group_tree')
      .values({ group_id: group.id, ancestor_id: group.id })
      .execute()
    await api.database
      .insertInto('member')
      .values({ group_id: group.id, user_id: inGroup.id, access_level: 10, created_at: 0 })
      .execute()
    const made = await api.call('POST /protected_branches', {
      name: 'stable-*',
      allowed_to_push: [{ user_id: named.id }, { group_id: group.id }, { user_id: reporter.id }],
      allowed_to_merge: [{ access_level: 30 }],
    })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      push_access_levels: [
        { access_level: null, user_id: named.id, group_id: null, access_level_description: 'named' },
        { access_level: null, user_id: null, group_id: group.id, access_level_description: 'Team' },
        { user_id: reporter.id },
      ],
      merge_access_levels: [{ access_level: 30, access_level_description: 'Developers + Maintainers' }],
    })
    const statuses = []
    for (const person of [named, inGroup, other, reporter]) {
      const branch = `stable-${person.username}`
      statuses.push((await api.call('POST /repository/branches', { branch, ref: 'main' }, person)).statusCode)
    }
    expect(statuses).toEqual([201, 201, 403, 403])
    const [entry] = made.json<{ push_access_levels: { id: number }[] }>().push_access_levels
    const changed = await api.call('PATCH /protected_branches/stable-*', {
      allowed_to_push: [{ id: entry?.id, _destroy: true }, { access_level: 40 }],
    })
    expect(changed.json()).toMatchObject({
      push_access_levels: [{ access_level: 40 }, { group_id: group.id }, { user_id: reporter.id }],
    })
    const again = await api.call('POST /repository/branches', { branch: 'stable-2', ref: 'main' }, named)
    expect(again.statusCode).toBe(403)
  })
})

test('missing users and groups cannot be named', async () => {
  const api = await openRepositoryApi()
  const responses = []
  for (const entry of [{ user_id: 999 }, { group_id: 999 }, { access_level: 35 }]) {
    const made = await api.call('POST /protected_tags', { name: 'v*', allowed_to_create: [entry] })
    responses.push([made.statusCode, made.json()])
  }
  expect(responses).toEqual([
    [422, { message: ['User does not exist'] }],
    [422, { message: ['Group does not exist'] }],
    [422, { message: ['Access level is not included in the list'] }],
  ])
  expect((await api.call('GET /protected_tags')).json()).toEqual([])
})
