import type { Commit } from '../../../git/parse-commit.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import type { SiteOrigins } from '../site-addresses/site-origins.js'
import type { EventMergeRequest } from './merge-request-variables.js'
import type { EventRelease } from './release-of-tag.js'

/** The facts about this coordinator in variables. */
export interface ServerIdentity {
  /** Public address without a trailing slash, for example `https://ci.example:8929`. */
  externalUrl: string
  /** Version of the API. */
  version: string
  /** The running revision, as in `/version`. */
  revision: string
  /** Where published sites are. */
  sites: SiteOrigins
}

/** The facts about the project in variables. */
export type EventProject = Pick<
  ProjectRow,
  | 'id'
  | 'path'
  | 'name'
  | 'description'
  | 'full_path'
  | 'namespace_id'
  | 'visibility'
  | 'default_branch'
  | 'ci_config_path'
>

/**
 * The facts from which the variables of an event are computed, both before there is a pipeline and when its
 * jobs run.
 */
export interface EventFacts {
  server: ServerIdentity
  project: EventProject
  /** Short name of a branch or tag; `refs/merge-requests/<iid>/head` for a merge request. */
  ref: string
  refType: 'branch' | 'tag'
  sha: string
  /** 40 zeros if there is none. */
  beforeSha: string
  source: string
  isProtected: boolean
  commit: Commit
  /** Message of an annotated tag. */
  tagMessage?: string | undefined
  /** The user who created the pipeline. */
  creator: Pick<UserRow, 'username'>
  /** Description of the schedule that created the pipeline. */
  scheduleDescription?: string | undefined
  /** Release of the tag. */
  release?: EventRelease | undefined
  /** The trigger token that created the pipeline: its first characters, and the request body as text. */
  trigger?: { shortToken: string; payload?: string | undefined } | undefined
  /** The merge request of the pipeline. */
  mergeRequest?: EventMergeRequest | undefined
  /** The newest open merge requests from the branch, as `group/project!iid`. */
  openMergeRequests?: readonly string[] | undefined
  /** Whether the pipeline was created in a freeze period of the project. */
  isDeployFreeze?: boolean | undefined
  /** The job that created the pipeline, from the same or another project. */
  upstream?: { pipelineId: number; projectId: number; jobId: number } | undefined
}
