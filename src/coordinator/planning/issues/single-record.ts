import type { User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import type { IssueRow } from '../stores/issue-store.js'
import { type PresentDeps, presentIssues } from './present.js'
import type { SingleIssue } from './record-schema.js'
import { isSubscribed } from './subscriptions.js'

/** The record of one issue, with whether the viewer is subscribed. Throws 404 if its project was deleted. */
export async function singleIssue(
  deps: PresentDeps,
  row: IssueRow,
  viewer: User | undefined,
): Promise<SingleIssue> {
  const [record] = await presentIssues(deps, [row], { project: row.project_id }, viewer)
  if (!record) throw notFound()
  return { ...record, subscribed: viewer ? await isSubscribed(deps.database, row, viewer) : false }
}
