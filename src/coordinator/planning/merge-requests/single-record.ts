import { may } from '../../access/access.js'
import { firstDeployments } from '../../ci/engine/deployments/first-deployments.js'
import { notFound } from '../../http/errors.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { CallerInProject } from '../access/issue-access.js'
import { mayMergeInto } from '../access/may-merge-into.js'
import { latestVersion, type MergeRequestRow } from '../stores/merge-request-store.js'
import { changesCount, diffRefs } from './changes-record.js'
import { isFirstContribution } from './first-contribution.js'
import { headPipelineRecord } from './head-pipeline-record.js'
import { isSubscribed } from './participants.js'
import { type PresentDeps, presentMergeRequests } from './present.js'
import type { SingleMergeRequest } from './record-schema.js'
import type { GetMergeRequest } from './schema.js'
import type { VisibilityDeps } from './visible-project.js'

type Options = Pick<GetMergeRequest, 'render_html' | 'include_rebase_in_progress'>

export type SingleRecordDeps = PresentDeps & VisibilityDeps

/**
 * The record of one merge request. `caller` is the caller's relation to its target project. Throws 404 if the
 * project was deleted.
 */
export async function singleMergeRequest(
  deps: SingleRecordDeps,
  row: MergeRequestRow,
  caller: CallerInProject,
  { render_html, include_rebase_in_progress = false }: Options = {},
): Promise<SingleMergeRequest> {
  const { database } = deps
  const { user, project, accessLevel } = caller
  const origin = { project: row.project_id }
  const [record] = await presentMergeRequests(deps, [row], { origin, render_html })
  if (!record) throw notFound()
  const version = await latestVersion(database, row.id)
  const canMerge = user && (await mayMergeInto(database, { project, user, accessLevel }, row.target_branch))
  const deployed = may('read_environments', caller)
    ? await firstDeployments(database, [row.id])
    : new Map<number, number>()
  return {
    ...record,
    subscribed: user ? await isSubscribed(database, row, user) : false,
    changes_count: version ? changesCount(version) : null,
    diff_refs: version ? diffRefs(version) : null,
    ...(await headPipelineRecord(deps, row, caller)),
    first_deployed_to_production_at: isoTimeOrNull(deployed.get(row.id) ?? null),
    merge_error: row.merge_error,
    first_contribution: await isFirstContribution(database, row),
    user: { can_merge: canMerge ?? false },
    ...(include_rebase_in_progress && { rebase_in_progress: row.rebase_in_progress }),
  }
}
