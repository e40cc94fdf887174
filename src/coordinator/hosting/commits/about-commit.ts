import type { FastifyReply } from 'fastify'

import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { readingFor } from '../repositories/reading-for.js'
import { requireCommit } from '../repositories/revisions.js'
import { describeCommit } from './describe-commit.js'
import type { CommitDeps } from './list-commits.js'
import type { SingleCommit } from './schema.js'

/** Context of a call on one commit. */
export interface CommitCall {
  project: Project
  user: User | undefined
  accessLevel: number
  membership: number
  reply: FastifyReply
}

/** SHA of the commit in the path. Throws 404. */
export function commitInPath({ pushes }: CommitDeps, call: { project: Project; params: { sha: string } }) {
  return requireCommit(pushes.repositories, call.project, call.params.sha)
}

/** Record of one commit, with its latest pipeline if the caller may read pipelines. */
export function commitRecord(
  deps: CommitDeps,
  call: CommitCall,
  sha: string,
  withStats = true,
): Promise<SingleCommit> {
  const showsPipelines = may('read_pipelines', call)
  const about = { project: call.project, reading: readingFor(deps.pushes, call), withStats, showsPipelines }
  return describeCommit(deps, about, sha)
}
