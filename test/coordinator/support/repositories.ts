import type { ProjectRepositories } from '../../../src/coordinator/resources/projects/create-project.js'

/** Stands in for git where only the answers of the API matter: remembers what was made, and knows the given branches. */
export function recordedRepositories(branches: string[] = []): ProjectRepositories & { created: number[] } {
  const created: number[] = []
  return {
    created,
    create: async (projectId) => {
      created.push(projectId)
    },
    resolveRef: async (_projectId, ref) =>
      branches.some((branch) => ref === `refs/heads/${branch}`) ? { type: 'branch' } : undefined,
  }
}
