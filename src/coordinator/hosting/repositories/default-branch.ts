import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Repositories } from './repositories.js'
import { setFirstDefaultBranch } from './store.js'

const PREFERRED = ['main', 'master']

/**
 * After the first push of a branch, makes it the default branch of the project, protects it and sets HEAD.
 */
export async function adoptDefaultBranch(
  deps: { database: Database; repositories: Repositories },
  project: Project,
): Promise<void> {
  if (project.default_branch !== null) return
  const branches = (await deps.repositories.listRefs(project.id, 'branch')).map(({ ref }) => ref)
  const branch = PREFERRED.find((name) => branches.includes(name)) ?? branches[0]
  if (branch === undefined) return
  // HEAD comes first: after a crash in between, the next push finds no default branch and repeats both steps.
  await deps.repositories.setHead(project.id, branch)
  await setFirstDefaultBranch(deps.database, project.id, branch)
}
