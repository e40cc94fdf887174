import type { DeploymentFacts } from '../outbox/pipeline-facts.js'
import { hookTime } from './hook-times.js'
import { findCommit, findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { projectBlock, projectUrl } from './project-blocks.js'
import { userBlock } from './user-block.js'

/** `deployment` (API, K5); undefined if its project or environment was deleted. */
export async function deploymentPayload(deps: PayloadDeps, projectId: number | null, facts: DeploymentFacts) {
  const around = await loadProject(deps, projectId)
  const environment = await findEnvironment(deps, facts.environmentId)
  if (!around || !environment) return undefined
  const { id, status, jobId, sha, ref } = facts
  const user = await findUser(deps, facts.userId)
  const commit = await findCommit(deps, around.project.id, sha)
  const url = projectUrl(around)
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: hookTime(facts.changedAt),
    deployment_id: id,
    deployable_id: jobId,
    deployable_url: jobId === null ? null : `${url}/-/jobs/${jobId}`,
    environment: environment.name,
    environment_tier: environment.tier,
    environment_slug: environment.slug,
    environment_external_url: environment.external_url,
    project: projectBlock(around),
    ref,
    short_sha: sha.slice(0, 8),
    user: user ? userBlock(user, around.externalUrl) : null,
    user_url: user ? `${around.externalUrl}/${user.username}` : null,
    commit_url: `${url}/-/commit/${sha}`,
    commit_title: commit?.title ?? null,
  }
}

function findEnvironment({ database }: PayloadDeps, id: number) {
  return database
    .selectFrom('environment')
    .select(['name', 'tier', 'slug', 'external_url'])
    .where('id', '=', id)
    .executeTakeFirst()
}
