import { expect, test } from 'vitest'

import { sharesOf } from '../../../../src/coordinator/access/group-shares.js'
import {
  deleteGroup,
  finishGroupDeletions,
} from '../../../../src/coordinator/accounts/groups/delete-group.js'
import { describeNamespaces } from '../../../../src/coordinator/accounts/groups/describe-namespaces.js'
import { editGroup } from '../../../../src/coordinator/accounts/groups/edit-group.js'
import { existenceOf } from '../../../../src/coordinator/accounts/groups/existence.js'
import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { shareGroup } from '../../../../src/coordinator/accounts/groups/shares/shares.js'
import {
  listGroups,
  listNamespaces,
  namesAbove,
  projectsIn,
  sizesOf,
} from '../../../../src/coordinator/accounts/groups/store.js'
import { transferGroup } from '../../../../src/coordinator/accounts/groups/transfer-group.js'
import {
  approveRequest,
  listRequesters,
  requestAccess,
} from '../../../../src/coordinator/accounts/members/access-requests.js'
import { invite, listInvitations } from '../../../../src/coordinator/accounts/members/invitations.js'
import { addMember, deleteMember } from '../../../../src/coordinator/accounts/members/members.js'
import { sourceOfGroup } from '../../../../src/coordinator/accounts/members/source.js'
import { listMembers } from '../../../../src/coordinator/accounts/members/store.js'
import { Deletions } from '../../../../src/coordinator/background/deletions.js'
import { deleteProjectRow } from '../../../../src/coordinator/hosting/projects/store.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { replaceGroupRecords } from '../../../../src/coordinator/planning/transfer/replace-group-records.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { removedBySeveral } from '../../support/deleted-concurrently.js'
import { insertProject } from '../../support/insert-project.js'
import { addPerson, testSecrets } from '../../support/test-app.js'

const OWNER = 50

describeOnEachDatabase('groups', (open, testOnOne) => {
  testOnOne('members of every kind are listed once, with what counts', async () => {
    const { database, owner, mary, top, sub, deps } = await openWithGroups(open)
    const team = await createGroup(deps, { name: 'Team', path: 'team', visibility: 'internal' }, mary)
    const actor = { user: owner, accessLevel: OWNER }
    await shareGroup(database, top, { group_id: team.id, group_access: 30 }, actor)
    const source = sourceOfGroup(sub)
    const members = async () =>
      (await listMembers(database, { source, all: { viewer: owner } }, {}, FIRST_PAGE)).rows.map(
        ({ username, access_level }) => [username, access_level],
      )
    expect(await members()).toEqual([
      ['owner', 50],
      ['mary', 30],
    ])
    const forMembers = { database, findUser: async () => mary }
    await addMember(forMembers, source, 'mary', { access_level: 40 }, actor)
    expect(await members()).toContainEqual(['mary', 40])
    await deleteMember(database, source, mary.id, actor)
    const direct = await listMembers(database, { source }, { query: 'OWN', skip_users: [0] }, FIRST_PAGE)
    expect(direct.total).toBe(1)
    expect((await sharesOf(database, 'group_id', [top.id], owner)).get(top.id)).toMatchObject([
      { group_full_path: 'team', group_access_level: 30 },
    ])
    const shared = await listGroups(database, { least: 0, sharedWith: team.id }, mary, FIRST_PAGE)
    expect(shared.rows).toMatchObject([{ id: top.id }])
  })

  testOnOne('people ask for access and are invited', async () => {
    const { database, owner, mary, top } = await openWithGroups(open)
    const source = sourceOfGroup(top)
    const actor = { user: owner, accessLevel: OWNER }
    await requestAccess(database, source, mary)
    expect((await listRequesters(database, source, FIRST_PAGE)).total).toBe(1)
    expect(await approveRequest(database, source, mary.id, undefined, actor)).toMatchObject({
      access_level: 30,
    })
    const findUser = async () => undefined
    await invite({ database, findUser }, source, { email: 'late@example.com', access_level: 20 }, actor)
    expect((await listInvitations(database, source, 'LATE', FIRST_PAGE)).rows).toMatchObject([
      { email: 'late@example.com', created_by_name: 'owner' },
    ])
    await addPerson(database, 'late')
    const { rows } = await listMembers(database, { source }, {}, FIRST_PAGE)
    expect(rows.map(({ username }) => username)).toEqual(['owner', 'mary', 'late'])
  })

  test('a tree is renamed, moved, measured and listed', async () => {
    const { database, owner, top, sub, project, deps } = await openWithGroups(open)
    const other = await createGroup(deps, { name: 'Other', path: 'other' }, owner)
    await editGroup(database, top, { path: 'up' }, owner)
    const renamed = await database.selectFrom('namespace').selectAll().where('id', '=', top.id).execute()
    await transferGroup({ database, onMoved: replaceGroupRecords }, renamed[0]!, other.id, owner)
    const { rows, total } = await listGroups(
      database,
      { least: 50, below: other.id, sort: 'desc' },
      owner,
      FIRST_PAGE,
    )
    expect([rows.map(({ full_path }) => full_path), total]).toEqual([['other/up', 'other/up/sub'], 2])
    expect(await projectsIn(database, other.id)).toEqual([project.id])
    const paths = await database.selectFrom('project').select('full_path').execute()
    expect(paths).toEqual([{ full_path: 'other/up/sub/it' }])
    expect((await namesAbove(database, rows)).get('other/up')).toBe('Top')
    expect((await sizesOf(database, [other.id])).get(other.id)).toEqual({
      repository_size: 0,
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      uploads_size: 0,
    })
    const namespaces = await listNamespaces(database, { ownedBy: owner.id, search: 'O' }, owner, FIRST_PAGE)
    expect(namespaces.total).toBe(4)
    const records = await describeNamespaces({ database, externalUrl: '' }, namespaces.rows, owner)
    expect(records).toContainEqual(
      expect.objectContaining({ path: 'other', members_count_with_descendants: 1 }),
    )
    expect(await existenceOf(database, 'SUB', renamed[0]!.id)).toMatchObject({ exists: true })
    expect(sub.id).toBeGreaterThan(top.id)
  })

  test('of two groups that are put into each other at once, one is', async () => {
    const { database, owner, deps } = await openWithGroups(open)
    for (let i = 0; i < 5; i++) {
      const [one, other] = [
        await createGroup(deps, { name: `one-${i}`, path: `one-${i}` }, owner),
        await createGroup(deps, { name: `other-${i}`, path: `other-${i}` }, owner),
      ]
      const inOne = await createGroup(deps, { name: 'in', path: 'in', parent_id: one.id }, owner)
      const inOther = await createGroup(deps, { name: 'in', path: 'in', parent_id: other.id }, owner)
      const moves = await Promise.allSettled([
        transferGroup({ database, onMoved: replaceGroupRecords }, one, inOther.id, owner),
        transferGroup({ database, onMoved: replaceGroupRecords }, other, inOne.id, owner),
      ])
      expect(moves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [fulfilled] = moves.flatMap((move) => (move.status === 'fulfilled' ? [move.value] : []))
      const [first, second] = fulfilled?.id === one.id ? ['other', 'one'] : ['one', 'other']
      const rows = await database
        .selectFrom('namespace')
        .select('full_path')
        .where('id', 'in', [inOne.id, inOther.id])
        .execute()
      expect(rows.map(({ full_path }) => full_path).toSorted()).toEqual([
        `${first}-${i}/in`,
        `${first}-${i}/in/${second}-${i}/in`,
      ])
    }
  })

  test('a project created in a group during its rename has the new path', async () => {
    const { database, owner, deps } = await openWithGroups(open)
    for (let i = 0; i < 5; i++) {
      const group = await createGroup(deps, { name: `g${i}`, path: `g${i}` }, owner)
      await Promise.all([
        editGroup(database, group, { path: `renamed-${i}` }, owner),
        createGroup(deps, { name: 'in', path: 'in', parent_id: group.id }, owner),
      ])
      const inside = await database
        .selectFrom('namespace')
        .select('full_path')
        .where('parent_id', '=', group.id)
        .execute()
      expect(inside).toEqual([{ full_path: `renamed-${i}/in` }])
    }
  })

  testOnOne('an interrupted deletion is resumed', async () => {
    const { database, top, project } = await openWithGroups(open)
    const deleteAvatars = () => Promise.resolve()
    const deletions = new Deletions(createLogger('test', 'silent'))
    const hideProject = () => Promise.resolve()
    const deleteWiki = () => Promise.resolve()
    const deps = { database, deletions, hideProject, deleteAvatars, deleteWiki }
    const broken = { ...deps, deleteProject: () => Promise.reject(new Error('No disk')) }
    await deleteGroup(broken, top.id)
    expect(await projectsIn(database, top.id)).toEqual([project.id])
    await finishGroupDeletions({
      ...deps,
      deleteProject: async (id) => {
        await deleteProjectRow(database, id)
      },
    })
    expect(await database.selectFrom('namespace').select('id').where('kind', '=', 'group').execute()).toEqual(
      [],
    )
    expect(await database.selectFrom('group_removal').selectAll().execute()).toEqual([])
  })

  testAtNight('concurrent deletions of one group succeed or return not found', async () => {
    const { database, owner, deps } = await openWithGroups(open)
    const ids: number[] = []
    for (let i = 0; i < 20; i++) {
      const group = await createGroup(deps, { name: `g${i}`, path: `g${i}` }, owner)
      await createGroup(deps, { name: 'in', path: 'in', parent_id: group.id }, owner)
      ids.push(group.id)
    }
    const removal = {
      database,
      deletions: new Deletions(createLogger('test', 'silent')),
      hideProject: () => Promise.resolve(),
      deleteProject: () => Promise.resolve(),
      deleteAvatars: () => Promise.resolve(),
      deleteWiki: () => Promise.resolve(),
    }
    const responses = await removedBySeveral(
      ids,
      (id) => deleteGroup(removal, id),
      () => finishGroupDeletions(removal),
    )
    expect(responses).toEqual(new Set(['removed', '{"message":"404 Group Not Found"}']))
    const left = await database
      .selectFrom('namespace')
      .select('path')
      .where('path', 'in', ['g0', 'in'])
      .execute()
    expect(left).toEqual([])
  })
})

async function openWithGroups(open: OpenDatabase) {
  const { database } = await open()
  const owner = await addPerson(database, 'owner')
  const mary = await addPerson(database, 'mary')
  const deps = { database, secrets: testSecrets() }
  const top = await createGroup(deps, { name: 'Top', path: 'top' }, owner)
  const sub = await createGroup(deps, { name: 'Sub', path: 'sub', parent_id: top.id }, owner)
  const project = await insertProject(database, {
    namespace_id: sub.id,
    creator_id: owner.id,
    full_path: 'top/sub/it',
  })
  return { database, owner, mary, deps, top, sub, project }
}
