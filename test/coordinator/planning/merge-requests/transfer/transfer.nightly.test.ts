import { expect, test } from 'vitest'

import { gitOk } from '../../../../support/git-client.js'
import { sceneForFile } from '../../../../support/scene-for-file.js'
import { archiveOf, importArchiveInto } from '../../../support/copy-project.js'
import { addPerson } from '../../../support/test-app.js'
import { planningRecords } from '../../support/project-records.js'
import { openGitScene } from '../git-scene.js'

type Scene = Awaited<ReturnType<typeof openGitScene>>

/** A project with a merged, an open and a closed merge request, and one from a fork; two source branches are gone. */
async function fill(scene: Scene) {
  const { ok, commit, make, refresh, P, ada, database, project } = scene
  const root = await addPerson(database, 'root', { admin: true })
  const bob = await addPerson(database, 'bob')
  await ok(`POST ${P}/members`, { user_id: bob.id, access_level: 40 })
  await ok(`POST ${P}/milestones`, { title: 'v1' })
  const [milestone] = await ok<{ id: number }[]>(`GET ${P}/milestones`)
  await commit({ 'b.txt': 'one' }, { branch: 'merged', from: 'main' })
  const merged = await make('merged', {
    description: 'text',
    assignee_ids: [bob.id],
    remove_source_branch: true,
  })
  await refresh()
  const merging = { should_remove_source_branch: true }
  await ok(`PUT ${P}/merge_requests/${merged.iid}/merge`, merging, bob)
  await commit({ 'c.txt': 'one' }, { branch: 'open', from: 'main' })
  const people = { assignee_ids: [ada.id, bob.id], reviewer_ids: [bob.id] }
  const open = await make('open', {
    title: 'Draft: open',
    labels: 'bug',
    milestone_id: milestone?.id,
    ...people,
  })
  await refresh()
  await commit({ 'c.txt': 'two' }, { branch: 'open' })
  await refresh()
  await ok(`POST ${P}/merge_requests/${open.iid}/award_emoji`, { name: 'thumbsup' }, bob)
  const closedHead = await commit({ 'd.txt': 'one' }, { branch: 'closed', from: 'main' })
  const closed = await make('closed')
  await refresh()
  await ok(`PUT ${P}/merge_requests/${closed.iid}`, { state_event: 'close' }, bob)
  await ok(`DELETE ${P}/repository/branches/closed`)
  const fork = await ok<{ id: number }>('POST /projects', { name: 'fork', visibility: 'public' }, bob)
  await ok(`POST /projects/${fork.id}/fork/${project}`, {}, root)
  await scene.git('push', '-q', scene.services.repositories.path(fork.id), 'main')
  await database.updateTable('project').set({ default_branch: 'main' }).where('id', '=', fork.id).execute()
  const at = { branch: 'theirs', from: 'main', at: fork.id, as: bob }
  const forkHead = await commit({ 'e.txt': 'one' }, at)
  const theirs = await make('theirs', { target_project_id: project }, { at: fork.id, as: bob })
  await refresh()
  return {
    root,
    merged: merged.iid,
    open: open.iid,
    closed: closed.iid,
    theirs: theirs.iid,
    closedHead,
    forkHead,
  }
}

/** No test changes its repositories. */
const openFilled = sceneForFile(async (open) => {
  const scene = await openGitScene(open)
  return { scene, made: await fill(scene) }
})

test('merge requests come out of the archive as they went in, with the commits of branches that are gone', async () => {
  const { scene, made } = await openFilled()
  const { services, project, ok, refresh } = scene
  const { root } = made
  const archive = await archiveOf(services, project)
  const { id, status, problems } = await importArchiveInto(services, archive, root, 'copy')
  expect([status, problems]).toEqual(['finished', []])
  await refresh()
  const before = await planningRecords(ok, project, root)
  const after = await planningRecords(ok, id, root)
  // The branch of the fork is not in the archive.
  const gone = { merge_status: 'cannot_be_merged', detailed_merge_status: 'conflict', has_conflicts: true }
  Object.assign(before[`merge_requests/${made.theirs}`] as object, gone)
  const { merge_status } = gone
  Object.assign(before[`merge_requests/${made.theirs}/approvals`] as object, { merge_status })
  expect(after).toEqual(before)
  const gitDir = services.repositories.path(id)
  const heads = await gitOk(
    gitDir,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/merge-requests/*/head',
  )
  expect(heads).toContain(`refs/merge-requests/${made.closed}/head ${made.closedHead}`)
  expect(heads).toContain(`refs/merge-requests/${made.theirs}/head ${made.forkHead}`)
  expect(heads.trim().split('\n')).toHaveLength(4)
  const theirs = await ok(`GET /projects/${id}/merge_requests/${made.theirs}`, undefined, root)
  expect(theirs).toMatchObject({ source_project_id: null, state: 'opened', sha: made.forkHead })
  const open = await ok(`GET /projects/${id}/merge_requests/${made.open}`, undefined, root)
  expect(open).toMatchObject({ source_project_id: id, reviewers: [{ username: 'bob' }], upvotes: 1 })
  const versions = await scene.database
    .selectFrom('merge_request_version')
    .innerJoin('merge_request', 'merge_request.id', 'merge_request_version.merge_request_id')
    .select([
      'merge_request.project_id',
      'merge_request_version.head_sha',
      'base_sha',
      'start_sha',
      'commit_count',
    ])
    .where('merge_request.iid', '=', made.open)
    .orderBy('merge_request_version.id')
    .execute()
  const of = (at: number) => versions.flatMap(({ project_id, ...each }) => (project_id === at ? [each] : []))
  expect(of(project)).toHaveLength(2)
  expect(of(id)).toEqual(of(project))
})

test('the next merge request of the imported project has the next number', async () => {
  const scene = await openGitScene()
  const { services, project, make, ok, commit, P } = scene
  const root = await addPerson(scene.database, 'root', { admin: true })
  for (const branch of ['a', 'b']) {
    await commit({ [branch]: 'x' }, { branch, from: 'main' })
    await make(branch)
  }
  await ok(`DELETE ${P}/merge_requests/1`)
  const { id } = await importArchiveInto(services, await archiveOf(services, project), root, 'copy')
  expect(await make('a', {}, { at: id, as: root })).toMatchObject({ iid: 3 })
  expect(await ok(`GET /projects/${id}/merge_requests`, undefined, root)).toMatchObject([
    { iid: 3 },
    { iid: 2 },
  ])
})

test('without an administrator the people of merge requests are the importer, and nobody reviews or is assigned', async () => {
  const { scene, made } = await openFilled()
  const eve = await scene.person('eve')
  const archive = await archiveOf(scene.services, scene.project)
  const { id, problems } = await importArchiveInto(scene.services, archive, eve, 'copy')
  expect(problems.filter((problem) => !problem.startsWith('members'))).toEqual([])
  const of = (iid: number) => scene.ok(`GET /projects/${id}/merge_requests/${iid}`, undefined, eve)
  expect(await of(made.open)).toMatchObject({
    author: { username: 'eve' },
    assignees: [],
    reviewers: [],
    upvotes: 0,
  })
  expect(await of(made.merged)).toMatchObject({ merged_by: { username: 'eve' }, state: 'merged' })
})
