import type { FastifyReply } from 'fastify'

import { may } from '../../access/access.js'
import type { Group, User } from '../../access/caller.js'
import { sourceOfGroup, sourceOfProject } from '../../accounts/members/source.js'
import { listMembers } from '../../accounts/members/store.js'
import { listUsers } from '../../accounts/users/store.js'
import { listMilestones } from '../../hosting/milestone-store.js'
import type { ProjectRecords } from '../../hosting/projects/record/records.js'
import { presentSnippets } from '../../hosting/snippets/present.js'
import { clientGone } from '../../http/client-gone.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { presentMilestones } from '../../http/presenters/present-milestone.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { type CallerInProject, managesIssues } from '../access/issue-access.js'
import { listIssues, listProjectIssues } from '../issues/list.js'
import { type PresentDeps, presentIssues } from '../issues/present.js'
import { listMergeRequests, listProjectMergeRequests } from '../merge-requests/list.js'
import { presentListedMergeRequests } from '../merge-requests/listed-record.js'
import type { SearchAll, SearchProject } from './schema.js'
import { searchNotes } from './search-notes.js'
import { searchRepositories } from './search-repositories.js'
import { type RepositorySearchDeps, searchRepository } from './search-repository.js'
import { searchMilestones, searchSnippets } from './store.js'

export interface SearchDeps extends PresentDeps, RepositorySearchDeps {
  records: Pick<ProjectRecords, 'list'>
}

export interface SearchedAt {
  viewer: User
  group?: Group
  reply: FastifyReply
}

/** What the viewer may see of the whole instance, or of a group and all groups in it. */
export async function searchAll(
  deps: SearchDeps,
  { viewer, group, reply }: SearchedAt,
  params: SearchAll,
  paging: Paging,
): Promise<Page> {
  const { database, externalUrl } = deps
  const { search } = params
  switch (params.scope) {
    case 'projects':
      return deps.records.list({ search, simple: true, ...(group && inGroup(group)) }, viewer, paging)
    case 'issues': {
      const at = { viewer, ...(group && { groupId: group.id }) }
      const { rows, total } = await listIssues(database, at, issueFilter(params), paging)
      const origin = group && { group: group.full_path }
      return page(await presentIssues(deps, rows, origin, viewer), total)
    }
    case 'merge_requests': {
      const at = { viewer, ...(group && { groupId: group.id }) }
      const { rows, total } = await listMergeRequests(database, at, mergeRequestFilter(params), paging)
      const origin = group && { group: group.full_path }
      return page(await presentListedMergeRequests(deps, { user: viewer }, rows, { origin }), total)
    }
    case 'milestones': {
      const at = { viewer, ...(group && { groupId: group.id }) }
      const { rows, total } = await searchMilestones(database, at, search, paging)
      return page(await presentMilestones(database, externalUrl, rows), total)
    }
    case 'snippet_titles': {
      const at = { viewer, ...(group && { groupId: group.id }) }
      const { rows, total } = await searchSnippets(database, at, search, paging)
      return page(await presentSnippets(deps, rows), total)
    }
    case 'users': {
      const { rows, total } = group
        ? await listMembers(
            database,
            { source: sourceOfGroup(group), all: { viewer } },
            { query: search },
            paging,
          )
        : await listUsers(database, { search }, paging, viewer)
      return page(
        rows.map((user) => presentUser(user, externalUrl)),
        total,
      )
    }
    case 'blobs':
    case 'commits':
    case 'wiki_blobs': {
      const at = { viewer, ...(group && { groupId: group.id }) }
      const wanted = { scope: params.scope, search }
      const { rows, isComplete } = await searchRepositories(deps, at, wanted, paging, {
        signal: clientGone(reply),
      })
      if (!isComplete) reply.header('x-search-incomplete', 'true')
      return page(rows)
    }
  }
}

function inGroup({ id }: Group) {
  return { inGroup: { id, subgroups: true, shared: false } }
}

/** A number such as `#12` finds the issue itself. */
function issueFilter({ search, state, confidential, order_by, sort }: SearchAll | SearchProject) {
  return {
    ...textOrNumber('#', search),
    state: state === 'merged' ? 'all' : (state ?? 'all'),
    scope: 'all',
    confidential,
    order_by,
    sort,
  } as const
}

/** A number such as `!12` finds the merge request itself. */
function mergeRequestFilter({ search, state = 'all', order_by, sort }: SearchAll | SearchProject) {
  return { ...textOrNumber('!', search), state, scope: 'all', order_by, sort } as const
}

function textOrNumber(sign: '#' | '!', search: string): { search: string } | { iids: number[] } {
  const text = search.trim()
  const isNumber = text.startsWith(sign) && /^\d{1,9}$/.test(text.slice(1))
  return isNumber ? { iids: [Number(text.slice(1))] } : { search }
}

const NOTHING = page([], 0)

/** As `searchAll`, in a project. What the viewer may not read there gives no results. */
export async function searchProject(
  deps: SearchDeps,
  caller: CallerInProject & { user: User },
  params: SearchProject,
  paging: Paging,
  signal: AbortSignal,
): Promise<Page> {
  const { database, externalUrl } = deps
  const { project, user } = caller
  const { scope, search } = params
  switch (scope) {
    case 'issues': {
      if (!may('read_issues', caller)) return NOTHING
      const at = { projectId: project.id, viewer: user, seesAll: managesIssues(caller) }
      const { rows, total } = await listProjectIssues(database, at, issueFilter(params), paging)
      return page(await presentIssues(deps, rows, { project: project.id }, user), total)
    }
    case 'merge_requests': {
      if (!may('read_merge_requests', caller)) return NOTHING
      const at = { projectId: project.id, viewer: user }
      const { rows, total } = await listProjectMergeRequests(database, at, mergeRequestFilter(params), paging)
      return page(
        await presentListedMergeRequests(deps, caller, rows, { origin: { project: project.id } }),
        total,
      )
    }
    case 'notes':
      return searchNotes(deps, caller, search, paging)
    case 'milestones': {
      if (!may('read_milestones', caller)) return NOTHING
      const own = { owner: { project_id: project.id }, ancestors: false, descendants: false, viewer: user }
      const { rows, total } = await listMilestones(database, own, { search }, paging)
      return page(await presentMilestones(database, externalUrl, rows), total)
    }
    case 'snippet_titles': {
      if (!may('read_snippets', caller)) return NOTHING
      const { rows, total } = await searchSnippets(
        database,
        { viewer: user, projectId: project.id },
        search,
        paging,
      )
      return page(await presentSnippets(deps, rows), total)
    }
    case 'users': {
      if (!may('read_members', caller)) return NOTHING
      const members = { source: sourceOfProject(project), all: { viewer: user } }
      const { rows, total } = await listMembers(database, members, { query: search }, paging)
      return page(
        rows.map((member) => presentUser(member, externalUrl)),
        total,
      )
    }
    case 'wiki_blobs':
    case 'blobs':
    case 'commits': {
      if (!may(scope === 'wiki_blobs' ? 'read_wiki' : 'read_code', caller)) return NOTHING
      const part = { offset: paging.offset, limit: paging.perPage }
      return page(await searchRepository(deps, project, { ...params, scope }, part, signal))
    }
  }
}
