import { listCiOperations } from '../../../../src/coordinator/start/operations/ci.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { openSqlite } from '../../../support/databases.js'
import { openPlanningApi } from '../../planning/support/planning-api.js'

const BASE64_LINE = { encoding: 'text' }

/**
 * A coordinator with the group `acme`: its label, milestone, member and variable; and its subgroup `web` with the project
 * `shop`, which has a file, issues, merge requests, a release and a schedule.
 */
export async function openSource() {
  const api = await openPlanningApi(openSqlite, {
    listHosting: listHostingOperations,
    listOthers: listCiOperations,
  })
  const { app, ok, person, root } = api
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const jane = await person('jane')
  const kim = await person('kim')
  const group = await ok('POST /groups', { name: 'Acme', path: 'acme', visibility: 'public' })
  const G = `/groups/${group.id}`
  await ok(`POST ${G}/members`, { user_id: jane.id, access_level: 40 })
  await ok(`POST ${G}/members`, { user_id: kim.id, access_level: 30 })
  await ok(`POST ${G}/labels`, { name: 'bug', color: '#ff0000', description: 'Broken' })
  await ok(`POST ${G}/milestones`, { title: 'v1', due_date: '2030-01-01' })
  await ok(`POST ${G}/variables`, { key: 'GROUP_KEY', value: 'hidden-group-value' })
  const web = await ok('POST /groups', {
    name: 'Web',
    path: 'web',
    parent_id: group.id,
    visibility: 'private',
  })
  const project = await ok('POST /projects', {
    name: 'Shop',
    path: 'shop',
    namespace_id: web.id,
    description: 'Sells',
  })
  const P = `/projects/${project.id}`
  const commit = (branch: string, file: string, start?: string) =>
    ok(`POST ${P}/repository/commits`, {
      branch,
      ...(start && { start_branch: start }),
      commit_message: file,
      actions: [{ action: 'create', file_path: file, content: `${file}\n`, ...BASE64_LINE }],
    })
  await commit('main', '.gitlab-ci.yml')
  await commit('main', 'README.md')
  await ok(`POST ${P}/labels`, { name: 'ui', color: '#00ff00', priority: 1 })
  await ok(`POST ${P}/variables`, { key: 'SHOP_KEY', value: 'hidden-shop-value', protected: true })
  const first = await ok(
    `POST ${P}/issues`,
    { title: 'First', description: 'See #2', labels: 'bug,ui', assignee_ids: [jane.id], weight: 3 },
    kim,
  )
  await ok(`POST ${P}/issues`, { title: 'Second', confidential: true }, jane)
  await ok(`PUT ${P}/issues/2`, { state_event: 'close' }, jane)
  const { id: thread } = await ok<{ id: string }>(
    `POST ${P}/issues/1/discussions`,
    { body: 'A question' },
    kim,
  )
  await ok(`POST ${P}/issues/1/discussions/${thread}/notes`, { body: 'An answer' }, jane)
  await commit('feature', 'feature.txt', 'main')
  await commit('done', 'done.txt', 'main')
  await ok(
    `POST ${P}/merge_requests`,
    { source_branch: 'feature', target_branch: 'main', title: 'Feature' },
    jane,
  )
  await ok(`POST ${P}/merge_requests`, { source_branch: 'done', target_branch: 'main', title: 'Done' }, kim)
  await ok(`POST ${P}/merge_requests/1/notes`, { body: 'Looks good' }, kim)
  await ok(`POST ${P}/releases`, { tag_name: 'v1.0', ref: 'main', description: 'First one' })
  await ok(`POST ${P}/pipeline_schedules`, { description: 'nightly', ref: 'main', cron: '0 1 * * *' })
  return { ...api, url, project, first, P, jane, kim, token: root.token }
}
