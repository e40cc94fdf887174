import { isMergeRequestRef } from '../../../../git/names.js'
import type { GitInfo, JobVariable } from '../../../../protocol/job-payload.js'
import type { PayloadFacts } from './payload-facts.js'

/**
 * The repository and refs that the runner fetches. `variables` are the expanded variables of the job (runner
 * protocol, 2.6).
 */
export function gitInfo(facts: PayloadFacts, variables: JobVariable[]): GitInfo {
  const { pipeline, project } = facts
  const depth = gitDepth(variables) ?? project.ci_default_git_depth
  return {
    repo_url: cloneUrl(facts),
    repo_object_format: 'sha1',
    ref: pipeline.ref,
    sha: pipeline.sha,
    before_sha: pipeline.before_sha,
    ref_type: pipeline.tag ? 'tag' : 'branch',
    refspecs: refspecs(facts, depth),
    depth,
    protected: facts.job.protected,
  }
}

/** URL of the repository with the job token as the password of `gitlab-ci-token`. */
export function cloneUrl({
  server,
  project,
  token,
}: Pick<PayloadFacts, 'server' | 'project' | 'token'>): string {
  const url = new URL(`${server.externalUrl}/${project.full_path}.git`)
  url.username = 'gitlab-ci-token'
  url.password = token
  return url.href
}

function refspecs({ pipeline }: PayloadFacts, depth: number): string[] {
  const pipelineRef = `refs/pipelines/${pipeline.id}`
  return [`+${pipelineRef}:${pipelineRef}`, ...branchAndTagRefspecs(pipeline.ref, pipeline.tag, depth)]
}

function branchAndTagRefspecs(ref: string, isTag: boolean, depth: number): string[] {
  if (depth === 0) return ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
  // The ref of the pipeline is enough; a fork does not have the ref of the merge request.
  if (isMergeRequestRef(ref)) return []
  if (isTag) return [`+refs/tags/${ref}:refs/tags/${ref}`]
  return [`+refs/heads/${ref}:refs/remotes/origin/${ref}`]
}

/** The runner does not read `GIT_DEPTH` itself. A value that is not a number is ignored. */
function gitDepth(variables: JobVariable[]): number | undefined {
  const value = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
