import type { CodeOwners, CodeOwnersProblem } from '../../../code-owners/code-owners.js'
import { parseCodeOwners } from '../../../code-owners/parse-code-owners.js'
import { ObjectTooLargeError } from '../../../git/errors.js'
import type { Repositories } from './repositories.js'

/** Where a file of code owners may be; the first that exists counts. */
const PLACES = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']

/** The file of code owners of a commit; undefined if it has none. */
export async function readCodeOwners(
  repositories: Pick<Repositories, 'readFile'>,
  projectId: number,
  sha: string,
): Promise<{ path: string; owners: CodeOwners } | undefined> {
  for (const path of PLACES) {
    try {
      const text = await repositories.readFile(projectId, sha, path)
      if (text !== undefined) return { path, owners: parseCodeOwners(text) }
    } catch (error) {
      if (!(error instanceof ObjectTooLargeError)) throw error
      return { path, owners: { sections: [], problems: [TOO_LARGE], isComplete: false } }
    }
  }
  return undefined
}

const TOO_LARGE: CodeOwnersProblem = {
  line: 1,
  kind: 'file_too_large',
  message: 'The file is too large to be read.',
}
