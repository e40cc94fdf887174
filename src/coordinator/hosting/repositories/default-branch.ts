import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Repositories } from './repositories.js'
import { setFirstDefaultBranch } from './store.js'

const PREFERRED = ['main', 'master']

/** The first push of a branch makes it the project's default branch, protects it, and lets clones check it out. */
export async function adoptDefaultBranch(
  deps: { database: Database; repositories: Repositories },
  project: Project,
): Promise<void> {
  if (project.default_branch !== null) return
  const branches = (await deps.repositories.listRefs(project.id, 'branch')).map(({ ref }) => ref)
  const branch = PREFERRED.find((name) => branches.includes(name)) ?? branches[0]
  if (branch === undefined) return
  // The repository first: a crash in between is made good by the next push, which finds no default branch yet.
  await deps.repositories.setHead(project.id, branch)
  await setFirstDefaultBranch(deps.database, project.id, branch)
}
