import type { VariableCollection } from '../../../ci-config/variables/variable-collection.js'
import type { Commit } from '../../../git/parse-commit.js'
import type { Logger } from '../../../lib/logger.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database, DialectName } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { ServerIdentity } from '../predefined-variables/event-facts.js'
import type { JobQueue } from '../queue/job-queue.js'
import type { LeaseSettings } from '../queue/lease.js'
import type { OutsideSources } from './outside-sources.js'
import type { PipelineLimits } from './pipeline-limits.js'

/** What moves pipelines needs: the parts of the coordinator below it. */
export interface EngineDeps {
  database: Database
  dialect: DialectName
  queue: JobQueue
  lease: LeaseSettings
  secrets: SecretBox
  repositories: EngineRepositories
  server: ServerIdentity
  /** Of pipelines; absent = the defaults. */
  limits?: PipelineLimits
  /** Other projects and the network, for the files of a pipeline. */
  outside: OutsideSources
  artifacts: EngineArtifacts
  traces: EngineTraces
  /** All variables of a job that a runner has, those included that it left itself; with those of the file alone else. */
  jobVariables: (job: JobRow) => Promise<VariableCollection>
  logger: Logger
  /** Told of every job that succeeded, failed or was canceled, after that is committed; must not throw. */
  onJobFinished?: (job: JobRow) => void
  /** Told of the time, in milliseconds since 1970, for which a job was scheduled, after that is committed; must not throw. */
  onScheduled?: (at: number) => void
  /** Told of the time, in milliseconds since 1970, at which an environment is to be stopped; must not throw. */
  onEnvironmentToStop?: (at: number) => void
  /** Told that there may be jobs to start which `startGrantedJobs` finds, after that is committed; must not throw. */
  onResourceFreed?: () => void
  /** Told of every job that was taken from its runner or is to end, after that is committed; must not throw. */
  onRunnerConcerned?: (jobId: number) => void
  /** Told that there is something for `BridgeWorker` to do, after that is committed; must not throw. */
  onBridgeTasks?: () => void
}

/** What the engine asks of the files that jobs left. */
export interface EngineArtifacts {
  /** One file of a job's archive; undefined when there is none. */
  readArchived(jobId: number, path: string, maxBytes: number): Promise<Buffer | 'too-large' | undefined>
}

/** What the engine asks of the logs of jobs. */
export interface EngineTraces {
  /** Bytes; 0 when there is no log. */
  size(job: Pick<JobRow, 'id' | 'project_id'>): Promise<number>
}

/** What the engine asks of git. */
export interface EngineRepositories {
  /** Undefined when the commit has no such file. */
  readFile(projectId: number, sha: string, path: string): Promise<string | undefined>
  /** Paths of all files of a commit, in the order of its tree. */
  listFiles(projectId: number, sha: string): Promise<string[]>
  /** Paths that differ between two commits, both of a renamed file; undefined when `from` is not there. */
  changedFiles(projectId: number, from: string, to: string): Promise<string[] | undefined>
  /** The commit that two histories share last; undefined when they share none. */
  mergeBase(projectId: number, one: string, other: string): Promise<string | undefined>
  /** The commit of a branch, a tag, a commit id or `HEAD`; undefined when there is none. */
  resolveCommit(projectId: number, revision: string): Promise<string | undefined>
  /** Short names. */
  listTags(projectId: number): Promise<string[]>
  /** A branch or tag by its short name. */
  resolveRef(projectId: number, ref: string): Promise<ResolvedRef | undefined>
  /** The first branch, by name, whose history has the commit. */
  branchContaining(projectId: number, sha: string): Promise<string | undefined>
  readCommit(projectId: number, sha: string): Promise<Commit>
  /** Undefined for a tag without a message of its own. */
  tagMessage(projectId: number, tag: string): Promise<string | undefined>
  /** Ids of the files of a commit that the doublestar globs match; a glob that is a folder's name matches all in it. */
  objectIds(projectId: number, sha: string, globs: string[]): Promise<string[]>
  /** For each glob that matches something, the last commit up to `sha` that touched it. */
  lastCommits(projectId: number, sha: string, globs: string[]): Promise<string[]>
  /** `refs/pipelines/<id>`: keeps the commit fetchable while the pipeline exists. */
  createPipelineRef(projectId: number, pipelineId: number, sha: string): Promise<void>
  /** Does nothing when they are gone. */
  deletePipelineRefs(projectId: number, pipelineIds: readonly number[]): Promise<void>
}

export interface ResolvedRef {
  ref: string
  type: 'branch' | 'tag'
  sha: string
}
