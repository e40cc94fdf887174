import { Type } from 'typebox'

import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { managesIssues, requireIssue } from '../access/issue-access.js'
import { type CommandRunner, withoutCommands } from '../commands.js'
import type { TextRenderer } from '../render-text.js'
import { findIssueById } from '../stores/issue-store.js'
import { issueActionOperations } from './action-operations.js'
import { createIssue, deleteIssue, editIssue } from './issues.js'
import { issueLinkOperations } from './link-operations.js'
import { countIssues, countProjectIssues, type Counts, listIssues, listProjectIssues } from './list.js'
import { milestoneIssueOperations } from './milestone-operations.js'
import { type PresentDeps, presentListedIssues } from './present.js'
import { ListedIssue, SingleIssue } from './record-schema.js'
import {
  ById,
  ByIid,
  CHANGES,
  CountIssues,
  CreateIssue,
  EditIssue,
  EXCLUSIVE,
  GetIssue,
  IssueStatistics,
  ListGroupIssues,
  ListIssues,
  ListProjectIssues,
} from './schema.js'
import { singleIssue } from './single-record.js'
import { issueTimeOperations } from './time-operations.js'

const KEYSET = { of: 'Issue', orders: ['created_at', 'updated_at'] }

export interface IssueDeps extends PresentDeps {
  commands: Pick<CommandRunner, 'onIssue'>
  rendererFor: TextRenderer
}

/** Issues of projects (API, F1 and F2). */
export function issueOperations(deps: IssueDeps): Operation[] {
  return [
    ...listOperations(deps),
    ...statisticsOperations(deps),
    ...recordOperations(deps),
    ...issueActionOperations(deps),
    ...issueTimeOperations(deps),
    ...issueLinkOperations(deps),
    ...milestoneIssueOperations(deps),
  ]
}

function listOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = {
    responses: { 200: Type.Array(ListedIssue) },
    exclusive: EXCLUSIVE,
    paginated: true,
    keyset: KEYSET,
  } as const
  return [
    operation('GET /issues', {
      ...list,
      summary: 'List issues of all projects',
      access: 'user',
      params: ListIssues,
      run: async ({ user, params, paging }) => {
        const filter = { scope: 'created_by_me', ...params } as const
        const { rows, total } = await listIssues(database, { viewer: user }, filter, paging)
        return page(await presentListedIssues(deps, rows, undefined, params, user), total)
      },
    }),
    operation('GET /groups/:id/issues', {
      ...list,
      summary: 'List group issues',
      access: 'read_group',
      params: ListGroupIssues,
      run: async ({ group, user, params, paging }) => {
        const at = { groupId: group.id, viewer: user }
        const { rows, total } = await listIssues(database, at, params, paging)
        const origin = { group: group.full_path }
        return page(await presentListedIssues(deps, rows, origin, params, user), total)
      },
    }),
    operation('GET /projects/:id/issues', {
      ...list,
      summary: 'List project issues',
      access: 'read_issues',
      params: ListProjectIssues,
      run: async (call) => {
        const { project, user, params, paging } = call
        const at = { projectId: project.id, viewer: user, seesAll: managesIssues(call) }
        const { rows, total } = await listProjectIssues(database, at, params, paging)
        const origin = { project: project.id }
        return page(await presentListedIssues(deps, rows, origin, params, user), total)
      },
    }),
  ]
}

function statisticsOperations({ database }: PresentDeps): Operation[] {
  const responses = { 200: IssueStatistics }
  const statistics = (counts: Counts) => ({ statistics: { counts } })
  return [
    operation('GET /issues_statistics', {
      summary: 'Count issues of all projects',
      access: 'user',
      params: CountIssues,
      exclusive: EXCLUSIVE,
      responses,
      run: async ({ user, params }) => {
        const filter = { scope: 'created_by_me', ...params } as const
        return statistics(await countIssues(database, { viewer: user }, filter))
      },
    }),
    operation('GET /groups/:id/issues_statistics', {
      summary: 'Count group issues',
      access: 'read_group',
      params: CountIssues,
      exclusive: EXCLUSIVE,
      responses,
      run: async ({ group, user, params }) =>
        statistics(await countIssues(database, { groupId: group.id, viewer: user }, params)),
    }),
    operation('GET /projects/:id/issues_statistics', {
      summary: 'Count project issues',
      access: 'read_issues',
      params: CountIssues,
      exclusive: EXCLUSIVE,
      responses,
      run: async (call) => {
        const { project, user, params } = call
        const at = { projectId: project.id, viewer: user, seesAll: managesIssues(call) }
        return statistics(await countProjectIssues(database, at, params))
      },
    }),
  ]
}

function recordOperations(deps: IssueDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /issues/:id', {
      summary: 'Get an issue by its ID',
      access: 'administrator',
      params: ById,
      responses: { 200: SingleIssue },
      run: async ({ user, params }) => {
        const row = await findIssueById(database, params.id)
        if (!row) throw notFound()
        return singleIssue(deps, row, user)
      },
    }),
    operation('GET /projects/:id/issues/:issue_iid', {
      summary: 'Get a project issue',
      access: 'read_issues',
      params: GetIssue,
      responses: { 200: SingleIssue },
      run: async (call) => {
        const { project: context, user, params } = call
        const row = await requireIssue(database, call, params.issue_iid)
        const record = await singleIssue(deps, row, user)
        if (!params.render_html) return record
        const description_html = await deps.rendererFor({ context, user })(row.description ?? '')
        return { ...record, description_html }
      },
    }),
    operation('POST /projects/:id/issues', {
      summary: 'Create a project issue',
      access: 'create_issues',
      params: CreateIssue,
      responses: { 201: SingleIssue },
      run: async (call) => {
        const { request } = call
        const user = signedIn(call.user)
        const origin = { userAgent: request.headers['user-agent'], address: request.ip }
        const caller = { ...call, user }
        const { params, commands } = withoutCommands(call.params)
        const row = await createIssue(database, caller, params, origin)
        if (commands.length > 0) await deps.commands.onIssue(caller, row.iid, commands)
        const now = commands.length > 0 ? await requireIssue(database, caller, row.iid) : row
        return singleIssue(deps, now, user)
      },
    }),
    operation('PUT /projects/:id/issues/:issue_iid', {
      summary: 'Update, close or reopen a project issue',
      // Authors change their own issues; `editIssue` decides.
      access: 'read_issues',
      params: EditIssue,
      atLeastOne: [CHANGES],
      responses: { 200: SingleIssue },
      run: async (call) => {
        const user = signedIn(call.user)
        const caller = { ...call, user }
        const { params, commands } = withoutCommands(call.params)
        const row = await editIssue(database, caller, params)
        if (commands.length > 0) await deps.commands.onIssue(caller, row.iid, commands)
        const now = commands.length > 0 ? await requireIssue(database, caller, row.iid) : row
        return singleIssue(deps, now, user)
      },
    }),
    operation('DELETE /projects/:id/issues/:issue_iid', {
      summary: 'Delete a project issue',
      access: 'delete_issues',
      params: ByIid,
      responses: { 204: NoBody },
      modifiedAt: async (call) => (await requireIssue(database, call, call.params.issue_iid)).updated_at,
      run: async (call) => {
        await deleteIssue(database, call, call.params.issue_iid)
        return respond(204)
      },
    }),
  ]
}
