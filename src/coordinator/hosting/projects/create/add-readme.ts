import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { writeFirstCommit } from '../../repositories/first-commit.js'
import type { Repositories } from '../../repositories/repositories.js'
import { setFirstDefaultBranch } from '../../repositories/store.js'
import { findProject } from '../store.js'

interface ReadmeDeps {
  database: Database
  repositories: Pick<Repositories, 'path' | 'withSlot'>
}

/**
 * Creates the first commit of a project: a README with its name. Its branch becomes the default branch and is
 * protected.
 */
export async function addReadme(
  { database, repositories }: ReadmeDeps,
  project: Project,
  author: User,
  branch: string,
): Promise<Project> {
  const first = {
    branch,
    file: { name: 'README.md', content: readmeOf(project) },
    message: 'Initial commit',
    author,
  }
  const gitDir = repositories.path(project.id)
  await repositories.withSlot(project.id, 'writing', () => writeFirstCommit(gitDir, first))
  await setFirstDefaultBranch(database, project.id, branch)
  return (await findProject(database, project.id)) ?? project
}

function readmeOf({ name, description }: Project): string {
  return description ? `# ${name}\n\n${description}\n` : `# ${name}\n`
}
