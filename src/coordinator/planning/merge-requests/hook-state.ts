import { findHeadPipeline } from '../../ci/engine/merge-requests/head-pipelines.js'
import type { Database } from '../../database/connect.js'
import type { MergeRequestState } from '../../integrations/webhooks/payloads/payload-deps.js'
import { type MergeRequestRow, reviewersOf } from '../stores/merge-request-store.js'
import { detailedStatus } from './detailed-status.js'
import { isFirstContribution } from './first-contribution.js'
import { NO_FACTS, statusFactsOf, targetProjectsOf } from './status-facts.js'

/** What webhooks show of a merge request besides its row. */
export async function mergeRequestState(
  database: Database,
  row: MergeRequestRow,
): Promise<MergeRequestState> {
  const projects = await targetProjectsOf(database, [row])
  const reviewers = await reviewersOf(database, [row.id])
  const facts = (await statusFactsOf(database, [row], { projects, reviewers })).get(row.id) ?? NO_FACTS
  return {
    head_pipeline_id: (await findHeadPipeline(database, row))?.id ?? null,
    detailed_merge_status: detailedStatus(row, facts),
    blocking_discussions_resolved: !facts.hasUnresolvedDiscussions,
    first_contribution: await isFirstContribution(database, row),
  }
}
