import type { Commit } from '../../../git/parse-commit.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import type { EventRelease } from './release-of-tag.js'

/** What variables say about this coordinator. */
export interface ServerIdentity {
  /** Public address without a trailing slash, for example `https://ci.example:8929`. */
  externalUrl: string
  /** Of the API. */
  version: string
  /** What is running, as `/version` tells it. */
  revision: string
}

/** What variables say about the project. */
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

/** What the variables of an event are computed from, before there is a pipeline and when one of its jobs runs. */
export interface EventFacts {
  server: ServerIdentity
  project: EventProject
  /** Short name of a branch or tag. */
  ref: string
  refType: 'branch' | 'tag'
  sha: string
  /** 40 zeros when there is none. */
  beforeSha: string
  source: string
  isProtected: boolean
  commit: Commit
  /** Of an annotated tag. */
  tagMessage?: string | undefined
  /** Who caused the pipeline. */
  creator: Pick<UserRow, 'username'>
  /** Of the schedule that caused it. */
  scheduleDescription?: string | undefined
  /** Of the tag. */
  release?: EventRelease | undefined
  /** The trigger token that caused it: its first characters, and the request's body as text. */
  trigger?: { shortToken: string; payload?: string | undefined } | undefined
  /** The job that caused it, in the project's own or another pipeline. */
  upstream?: { pipelineId: number; projectId: number; jobId: number } | undefined
}
