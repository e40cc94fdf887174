import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { signedIn } from '../../http/viewer.js'
import { requireIssue } from '../access/issue-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import { findIssueById, type IssueLinkRow, linksOf } from '../stores/issue-store.js'
import { createIssueLink, deleteIssueLink, otherEnd } from './links.js'
import { type PresentDeps, presentIssues } from './present.js'
import { Issue, LinkedIssue } from './record-schema.js'
import { ByIid, ByLink, CreateLink, LinkType } from './schema.js'

const Link = Type.Object({
  id: described(Type.Integer(), 'ID of the link.'),
  source_issue: described(Issue, 'Issue of the path.'),
  target_issue: described(Issue, 'The other issue.'),
  link_type: described(LinkType, 'What the first issue does to the second one.'),
})

/** Links between issues (API, F2). */
export function issueLinkOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/issues/:issue_iid/links', {
      summary: 'List the links of an issue',
      access: 'read_issues',
      params: ByIid,
      responses: { 200: Type.Array(LinkedIssue) },
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        const links = new Map((await linksOf(database, id)).map((link) => [otherEnd(link, id), link]))
        const issues = await visibleIssues(database, call.user, [...links.keys()])
        const records = await presentIssues(deps, issues, { project: call.project.id }, call.user)
        return records.flatMap((record) => {
          const link = links.get(record.id)
          return link ? [{ ...record, ...linkFields(link, id) }] : []
        })
      },
    }),
    operation('GET /projects/:id/issues/:issue_iid/links/:issue_link_id', {
      summary: 'Get a link of an issue',
      access: 'read_issues',
      params: ByLink,
      responses: { 200: Link },
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        const link = (await linksOf(database, id)).find((one) => one.id === call.params.issue_link_id)
        const [other] = link ? await visibleIssues(database, call.user, [otherEnd(link, id)]) : []
        if (!link || !other) throw notFound()
        return linkRecord(deps, link, id, call.user)
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/links', {
      summary: 'Link an issue to another one',
      access: 'manage_issues',
      params: CreateLink,
      responses: { 201: Link },
      run: async (call) => {
        const caller = { ...call, user: signedIn(call.user) }
        const { link, source } = await createIssueLink(database, caller, call.params)
        return linkRecord(deps, link, source.id, call.user)
      },
    }),
    operation('DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id', {
      summary: 'Delete a link of an issue',
      access: 'manage_issues',
      params: ByLink,
      responses: { 200: Link },
      run: async (call) => {
        const { link, source } = await deleteIssueLink(database, call, call.params)
        return linkRecord(deps, link, source.id, call.user)
      },
    }),
  ]
}

function typeFrom({ source_id, link_type }: IssueLinkRow, id: number): LinkType {
  if (link_type === 'relates_to') return link_type
  return source_id === id ? 'blocks' : 'is_blocked_by'
}

function linkFields(link: IssueLinkRow, id: number) {
  return {
    issue_link_id: link.id,
    link_type: typeFrom(link, id),
    link_created_at: isoTime(link.created_at),
    link_updated_at: isoTime(link.updated_at),
  }
}

async function linkRecord(deps: PresentDeps, link: IssueLinkRow, id: number, viewer: User | undefined) {
  const [source, target] = await Promise.all([
    findIssueById(deps.database, id),
    findIssueById(deps.database, otherEnd(link, id)),
  ])
  if (!source || !target) throw notFound()
  const origin = { project: source.project_id }
  const [source_issue, target_issue] = await presentIssues(deps, [source, target], origin, viewer)
  return { id: link.id, source_issue, target_issue, link_type: typeFrom(link, id) }
}
