import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { readsEnvironments, readsPipelines } from '../../access/planning-visibility.js'
import { firstDeployments } from '../../ci/engine/deployments/first-deployments.js'
import { findHeadPipelines } from '../../ci/engine/merge-requests/head-pipelines.js'
import type { Database } from '../../database/connect.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { Origin } from '../record-fields.js'
import {
  latestVersionsOf,
  type MergeRequestRow,
  mergeRequestSubscriptions,
} from '../stores/merge-request-store.js'
import { changesCount, diffRefs } from './changes-record.js'
import { type PresentDeps, presentMergeRequests } from './present.js'
import type { ListedMergeRequest, MergeRequest } from './record-schema.js'

/** Who asks for a list. */
export interface Asker {
  user: User | undefined
  /** The project of the list, and what the credentials open in it; undefined for a list of many projects. */
  project?: Project
  accessLevel?: number
  membership?: number
}

/** Records for a list, in the order of the rows; the number of queries does not depend on their number. */
export async function presentListedMergeRequests(
  deps: PresentDeps,
  asker: Asker,
  rows: readonly MergeRequestRow[],
  options: { origin?: Origin; render_html?: boolean | undefined } = {},
): Promise<ListedMergeRequest[]> {
  const { database, externalUrl } = deps
  const records = await presentMergeRequests(deps, rows, options)
  const ids = rows.map(({ id }) => id)
  const versions = await latestVersionsOf(database, ids)
  const chosen = asker.user ? await mergeRequestSubscriptions(database, asker.user.id, ids) : undefined
  const pipelines = await visiblePipelines(database, asker, ids)
  const deployed = isOpen('read_environments', asker)
    ? await firstDeployments(database, ids, () => readsEnvironments(asker.user))
    : new Map<number, number>()
  return records.map((record, index) => {
    const version = versions.get(record.id)
    const found = pipelines.get(record.id)
    return {
      ...record,
      subscribed: chosen?.get(record.id) ?? takesPart(record, asker.user),
      changes_count: version ? changesCount(version) : null,
      diff_refs: version ? diffRefs(version) : null,
      latest_build_started_at: isoTimeOrNull(found?.pipeline.started_at ?? null),
      latest_build_finished_at: isoTimeOrNull(found?.pipeline.finished_at ?? null),
      first_deployed_to_production_at: isoTimeOrNull(deployed.get(record.id) ?? null),
      pipeline: found ? presentPipelineBrief(found.pipeline, `${externalUrl}/${found.path}`) : null,
      merge_error: rows[index]?.merge_error ?? null,
    }
  })
}

function takesPart({ author, assignees, reviewers }: MergeRequest, user: User | undefined): boolean {
  return [author, ...assignees, ...reviewers].some((person) => person !== null && person.id === user?.id)
}

/** Head pipelines that the caller may see, with the paths of their projects, by merge request. */
export async function visiblePipelines(
  database: Database,
  asker: Asker,
  ids: readonly number[],
): Promise<Map<number, { pipeline: PipelineRow; path: string }>> {
  const pipelines = isOpen('read_pipelines', asker)
    ? await findHeadPipelines(database, ids)
    : new Map<never, never>()
  const projectIds = [...new Set([...pipelines.values()].map(({ project_id }) => project_id))]
  if (projectIds.length === 0) return new Map()
  const projects = await database
    .selectFrom('project')
    .select(['project.id', 'project.full_path'])
    .where('project.id', 'in', projectIds)
    .where(() => readsPipelines(asker.user))
    .execute()
  const paths = new Map(projects.map(({ id, full_path }) => [id, full_path]))
  return new Map(
    [...pipelines].flatMap(([id, pipeline]) => {
      const path = paths.get(pipeline.project_id)
      return path === undefined ? [] : [[id, { pipeline, path }] as const]
    }),
  )
}

/** What the credentials do not open, such as the token of a job of another project, the list does not show. */
function isOpen(permission: 'read_pipelines' | 'read_environments', asker: Asker): boolean {
  const { project, accessLevel = 0, membership = 0 } = asker
  return project === undefined || may(permission, { project, accessLevel, membership })
}

/** A page of all these merge requests, for an operation of `project`. */
export async function pageOfListed(
  deps: PresentDeps,
  asker: Asker,
  rows: readonly MergeRequestRow[],
  { project, paging }: { project: { id: number }; paging: Paging },
): Promise<Page> {
  const shown = rows.slice(paging.offset, paging.offset + paging.perPage)
  const origin = { project: project.id }
  return page(await presentListedMergeRequests(deps, asker, shown, { origin }), rows.length)
}
