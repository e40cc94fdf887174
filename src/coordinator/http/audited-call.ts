import type { Group, Project, User } from '../access/caller.js'

/** One call of an operation, as far as the audit trail is concerned. */
export interface AuditedCall {
  params: Record<string, unknown>
  inPath: Record<string, unknown>
  author: User
  sudoBy: User | undefined
  /** Id of the personal access token of the call. */
  tokenId: number | undefined
  /** The id of the job, for a call with a job token of another project. */
  jobId?: number
  project?: Project
  group?: Group
  address: string
  /** The program that makes the call for the author. */
  agent?: string | undefined
  requestId: string
}
