import type { VariableCollection } from '../../../ci-config/variables/variable-collection.js'
import type { Commit } from '../../../git/parse-commit.js'
import type { Logger } from '../../../lib/logger.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database, DialectName } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { ServerIdentity } from '../predefined-variables/event-facts.js'
import type { JobQueue } from '../queue/job-queue.js'
import type { LeaseSettings } from '../queue/lease.js'
import type { EngineNotifications } from './engine-notifications.js'
import type { OutsideSources } from './outside-sources.js'
import type { PipelineLimits } from './pipeline-limits.js'

/** The dependencies of the engine: lower layers of the coordinator. */
export interface EngineDeps {
  database: Database
  dialect: DialectName
  queue: JobQueue
  lease: LeaseSettings
  secrets: SecretBox
  repositories: EngineRepositories
  server: ServerIdentity
  /** Limits of pipelines; absent = the defaults. */
  limits?: PipelineLimits
  /** Other projects and the network, as sources of CI files. */
  outside: OutsideSources
  artifacts: EngineArtifacts
  traces: EngineTraces
  /**
   * All variables of a job that a runner received, including those of its own dotenv report. Without a
   * runner, only those of the CI file.
   */
  jobVariables: (job: JobRow) => Promise<VariableCollection>
  logger: Logger
  notifications: EngineNotifications
}

/** The queries of the engine about job artifacts. */
export interface EngineArtifacts {
  /** One file in the archive of a job; undefined if there is none. */
  readArchived(jobId: number, path: string, maxBytes: number): Promise<Buffer | 'too-large' | undefined>
}

/** The queries of the engine about job logs. */
export interface EngineTraces {
  /** Bytes of the log of a job that has not ended; 0 if there is none. */
  growingSize(job: Pick<JobRow, 'id' | 'project_id'>): Promise<number>
}

/** The queries of the engine about git repositories. */
export interface EngineRepositories {
  /** Undefined if the commit has no such file. */
  readFile(projectId: number, sha: string, path: string): Promise<string | undefined>
  /** Paths of all files of a commit, in the order of its tree. */
  listFiles(projectId: number, sha: string): Promise<string[]>
  /**
   * Paths that differ between two commits, with both names of a renamed file; undefined if `from` does not
   * exist.
   */
  changedFiles(projectId: number, from: string, to: string): Promise<string[] | undefined>
  /** The common ancestor of two histories; undefined if there is none. */
  mergeBase(projectId: number, one: string, other: string): Promise<string | undefined>
  /** IDs of the newest commits that `to` contains and `from` does not, at most `limit`; undefined if one of them is gone. */
  commitsSince(projectId: number, from: string, to: string, limit: number): Promise<string[] | undefined>
  /** The commit of a branch, a tag, a commit id or `HEAD`; undefined if there is none. */
  resolveCommit(projectId: number, revision: string): Promise<string | undefined>
  /** Short names. */
  listTags(projectId: number): Promise<string[]>
  /** A branch or tag by its short name. */
  resolveRef(projectId: number, ref: string): Promise<ResolvedRef | undefined>
  /** The first branch, by name, whose history contains the commit. */
  branchContaining(projectId: number, sha: string): Promise<string | undefined>
  readCommit(projectId: number, sha: string): Promise<Commit>
  /** Undefined for a tag without its own message. */
  tagMessage(projectId: number, tag: string): Promise<string | undefined>
  /** Ids of the files of a commit that the doublestar globs match; a glob that is a folder's name matches all in it. */
  objectIds(projectId: number, sha: string, globs: string[]): Promise<string[]>
  /** Returns the last commit up to `sha` that changed a matching file, for each glob with a match. */
  lastCommits(projectId: number, sha: string, globs: string[]): Promise<string[]>
  /** `refs/pipelines/<id>` keeps the commit fetchable while the pipeline exists. */
  createPipelineRef(projectId: number, pipelineId: number, sha: string): Promise<void>
  /** Does nothing if they do not exist. */
  deletePipelineRefs(projectId: number, pipelineIds: readonly number[]): Promise<void>
}

export interface ResolvedRef {
  ref: string
  type: 'branch' | 'tag'
  sha: string
}
