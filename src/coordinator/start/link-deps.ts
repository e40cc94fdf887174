import { issueTrackerOf } from '../integrations/services/issue-trackers.js'
import type { LinkDeps } from '../planning/markdown/links.js'
import type { OperationListDeps } from './operation-list-deps.js'
import type { Services } from './services/services.js'

/** What finds the links in texts needs. */
export function linkDeps(
  { database, repositories }: Services,
  { externalUrl, findProject, projectAccessOf }: OperationListDeps,
): LinkDeps {
  const trackerOf = (projectId: number) => issueTrackerOf(database, projectId)
  return { database, externalUrl, repositories, findProject, projectAccessOf, trackerOf }
}
