import { join } from 'node:path'

import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'

import { startCoordinator } from '../../../src/coordinator/coordinator.js'
import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { readCoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import { createLogger } from '../../../src/lib/logger.js'
import { lists } from '../../bench/list-cases.mjs'
import { makeMany, makeOneOfAll, type Place } from '../../bench/many-rows.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from '../../bench/tokens.mjs'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { declaredOperations } from '../support/declared-operations.js'

/** Of everything; both pages that are compared are full. */
const ROWS = 30

/** A coordinator with so many of everything that lists show. */
async function filledCoordinator(): Promise<{ url: string; place: Place }> {
  const folder = await tempDir()
  const settings = readCoordinatorSettings(
    { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: join(folder, 'data') },
    {},
  )
  const coordinator = await startCoordinator(settings, createLogger('test', 'silent'), {
    adminToken: ADMIN_TOKEN,
    registrationToken: REGISTRATION_TOKEN,
  })
  onTestFinished(() => coordinator.stop())
  const place = await makeOneOfAll(coordinator.url, join(folder, 'project'))
  const database = connectDatabase(settings.database)
  await makeMany(database, place, ROWS)
  await database.destroy()
  return { url: coordinator.url, place }
}

/** Lists that the filled coordinator has hardly a row of. */
const SHORT = [
  '/users/member/projects',
  '/users/member/contributed_projects',
  '/deploy_keys',
  '/user/activities',
  '/projects/:id/pipeline_schedules/:id/pipelines',
  '/projects/:id/groups',
  '/projects/:id/deploy_keys',
  '/projects/:id/protected_tags',
  '/projects/:id/access_tokens',
  '/groups/:id/subgroups',
  '/groups/:id/descendant_groups',
  '/groups/:id/groups/shared',
  '/groups/:id/projects/shared',
  '/groups/:id/runners',
  '/groups/:id/access_tokens',
]

/** Lists that are not tried: most show the same rows as a list that is, of another place; others show what git has. */
const UNTRIED = [
  '/admin/ci/variables',
  '/broadcast_messages',
  '/bulk_imports',
  '/bulk_imports/:import_id/entities',
  '/bulk_imports/:import_id/entities/:entity_id/failures',
  '/groups/:id/-/search',
  '/groups/:id/access_requests',
  '/groups/:id/badges',
  '/groups/:id/boards',
  '/groups/:id/boards/:board_id/lists',
  '/groups/:id/deploy_tokens',
  '/groups/:id/epics',
  '/groups/:id/epics/:epic_id/discussions',
  '/groups/:id/epics/:epic_id/notes',
  '/groups/:id/epics/:epic_id/notes/:note_id/award_emoji',
  '/groups/:id/epics/:epic_iid/epics',
  '/groups/:id/epics/:epic_iid/epics/:child_epic_id',
  '/groups/:id/epics/:epic_iid/issues',
  '/groups/:id/epics/:epic_iid/issues/:epic_issue_id',
  '/groups/:id/epics/:epic_iid/related_epics',
  '/groups/:id/hooks',
  '/groups/:id/hooks/:hook_id/events',
  '/groups/:id/inherited_variables',
  '/groups/:id/invitations',
  '/groups/:id/invited_groups',
  '/groups/:id/labels',
  '/groups/:id/members',
  '/groups/:id/milestones',
  '/groups/:id/milestones/:milestone_id/burndown_events',
  '/groups/:id/milestones/:milestone_id/issues',
  '/groups/:id/milestones/:milestone_id/merge_requests',
  '/groups/:id/protected_environments',
  '/groups/:id/search',
  '/groups/:id/transfer_locations',
  '/groups/:id/variables',
  '/groups/:id/wikis/:slug/versions',
  '/hooks',
  '/projects/:id/-/search',
  '/projects/:id/badges',
  '/projects/:id/boards',
  '/projects/:id/boards/:board_id/lists',
  '/projects/:id/caches',
  '/projects/:id/deployments/:deployment_id/merge_requests',
  '/projects/:id/external_status_checks',
  '/projects/:id/feature_flags',
  '/projects/:id/feature_flags_user_lists',
  '/projects/:id/freeze_periods',
  '/projects/:id/inherited_variables',
  '/projects/:id/invited_groups',
  '/projects/:id/issues/:issue_iid/award_emoji',
  '/projects/:id/issues/:issue_iid/closed_by',
  '/projects/:id/issues/:issue_iid/discussions',
  '/projects/:id/issues/:issue_iid/notes',
  '/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
  '/projects/:id/issues/:issue_iid/participants',
  '/projects/:id/issues/:issue_iid/related_merge_requests',
  '/projects/:id/issues/:issue_iid/resource_label_events',
  '/projects/:id/issues/:issue_iid/resource_milestone_events',
  '/projects/:id/issues/:issue_iid/resource_state_events',
  '/projects/:id/job_token_scope/allowlist',
  '/projects/:id/job_token_scope/groups_allowlist',
  '/projects/:id/jobs/:job_id/artifacts/tree',
  '/projects/:id/merge_requests/:merge_request_iid/award_emoji',
  '/projects/:id/merge_requests/:merge_request_iid/closes_issues',
  '/projects/:id/merge_requests/:merge_request_iid/commits',
  '/projects/:id/merge_requests/:merge_request_iid/context_commits',
  '/projects/:id/merge_requests/:merge_request_iid/diffs',
  '/projects/:id/merge_requests/:merge_request_iid/discussions',
  '/projects/:id/merge_requests/:merge_request_iid/draft_notes',
  '/projects/:id/merge_requests/:merge_request_iid/notes',
  '/projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
  '/projects/:id/merge_requests/:merge_request_iid/participants',
  '/projects/:id/merge_requests/:merge_request_iid/pipelines',
  '/projects/:id/merge_requests/:merge_request_iid/related_issues',
  '/projects/:id/merge_requests/:merge_request_iid/resource_label_events',
  '/projects/:id/merge_requests/:merge_request_iid/resource_milestone_events',
  '/projects/:id/merge_requests/:merge_request_iid/resource_state_events',
  '/projects/:id/merge_requests/:merge_request_iid/versions',
  '/projects/:id/merge_trains',
  '/projects/:id/merge_trains/:target_branch',
  '/projects/:id/milestones/:milestone_id/burndown_events',
  '/projects/:id/milestones/:milestone_id/issues',
  '/projects/:id/milestones/:milestone_id/merge_requests',
  '/projects/:id/pipelines/:pipeline_id/bridges',
  '/projects/:id/pipelines/:pipeline_id/jobs',
  '/projects/:id/pipelines/:pipeline_id/test_cases',
  '/projects/:id/protected_environments',
  '/projects/:id/releases/:tag_name/assets/links',
  '/projects/:id/remote_mirrors',
  '/projects/:id/repository/branches',
  '/projects/:id/repository/commits',
  '/projects/:id/repository/commits/:sha/comments',
  '/projects/:id/repository/commits/:sha/diff',
  '/projects/:id/repository/commits/:sha/discussions',
  '/projects/:id/repository/commits/:sha/merge_requests',
  '/projects/:id/repository/commits/:sha/refs',
  '/projects/:id/repository/contributors',
  '/projects/:id/repository/tags',
  '/projects/:id/repository/tree',
  '/projects/:id/resource_groups/:key/upcoming_jobs',
  '/projects/:id/search',
  '/projects/:id/secure_files',
  '/projects/:id/share_locations',
  '/projects/:id/snippets',
  '/projects/:id/snippets/:snippet_id/award_emoji',
  '/projects/:id/snippets/:snippet_id/discussions',
  '/projects/:id/snippets/:snippet_id/notes',
  '/projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
  '/projects/:id/templates/:type',
  '/projects/:id/transfer_locations',
  '/projects/:id/wikis/:slug/versions',
  '/search',
  '/snippets',
  '/snippets/all',
  '/snippets/public',
  '/templates/dockerfiles',
  '/templates/gitignores',
  '/templates/gitlab_ci_ymls',
  '/templates/licenses',
  '/topics',
  '/user/applications',
  '/user/chat_names',
  '/user/keys',
  '/users/:id/applications',
  '/users/:id/keys',
  '/users/:user_id/impersonation_tokens',
]

/** Counts the SQLite queries from now on. */
function countQueries(): () => number {
  const statement = new Sqlite(':memory:').prepare('select 1')
  const prototype = Object.getPrototypeOf(statement) as Sqlite.Statement
  const spies = (['all', 'get', 'run'] as const).map((name) => vi.spyOn(prototype, name))
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

interface Page {
  queries: number
  rows: number
}

testAtNight('the number of queries for a page of a list does not depend on its rows', async () => {
  const { url, place } = await filledCoordinator()
  const asked = countQueries()

  async function readOnce(path: string, token: string): Promise<Page> {
    const before = asked()
    const response = await fetch(`${url}/api/v4${path}`, { headers: { 'private-token': token } })
    const body: unknown = await response.json()
    expect(response.status, `GET ${path}`).toBe(200)
    return { queries: asked() - before, rows: Array.isArray(body) ? body.length : 0 }
  }

  /**
   * The minimum of several tries, which excludes queries of concurrent background work: at least three, and up to 20
   * while each takes more than `allowed`. Each has an address of its own, because responses are cached.
   */
  async function readPage(path: string, token: string, allowed = Infinity): Promise<Page> {
    const tries: Page[] = []
    const least = () => tries.reduce((best, one) => (one.queries < best.queries ? one : best))
    while (tries.length < 3 || (least().queries > allowed && tries.length < 20))
      tries.push(await readOnce(`${path}&turn=${tries.length}`, token))
    return least()
  }

  const growing: string[] = []
  const short: string[] = []
  for (const { path, callers, mixed = 2 } of lists(place)) {
    const address = `${path}${path.includes('?') ? '&' : '?'}per_page=`
    let isLong = false
    for (const caller of callers) {
      const few = await readPage(`${address}${mixed}`, place.tokens[caller])
      const many = await readPage(`${address}20`, place.tokens[caller], few.queries)
      expect(few.queries, path).toBeGreaterThan(0)
      if (many.queries > few.queries)
        growing.push(`${path} as ${caller}: ${few.queries}, then ${many.queries}`)
      isLong ||= many.rows > few.rows
    }
    if (!isLong) short.push(path.replace(/\d+/g, ':id'))
  }
  expect(growing).toEqual([])
  expect(short).toEqual(SHORT)
})

test('every list is tried, or left out by name', async () => {
  const paginated = (await declaredOperations()).filter((operation) => operation.paginated)
  const tokens = { administrator: '', member: '', outsider: '' }
  const place = {
    project: 1,
    group: 1,
    user: 1,
    veteran: 1,
    runner: 1,
    hook: 1,
    schedule: 1,
    sha: 'a',
    tokens,
  }
  const tried = lists(place).map(({ path }) => path.replace(/\?.*/, ''))
  const untried = paginated.map(({ path }) => path).filter((path) => !tried.some((one) => isAt(one, path)))
  expect(untried.toSorted()).toEqual(UNTRIED)
})

/** Whether a concrete address is one of `path`, such as `/projects/:id/jobs`. */
function isAt(address: string, path: string): boolean {
  const [parts, names] = [address.split('/'), path.split('/')]
  return (
    parts.length === names.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
  )
}
