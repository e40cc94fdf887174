import type { Project } from '../../access/caller.js'
import type { TransferPart, TransferTarget } from '../../http/archive-part.js'
import type { EntityRun } from '../run.js'

/** The project that is filled. It exists in every step that writes something into it. */
export function projectOf({ project, entity }: EntityRun): Project {
  if (!project) throw new Error(`The project of entity ${entity.id} does not exist`)
  return project
}

/** What writes the records of a kind. */
export function partNamed({ deps }: EntityRun, name: string): TransferPart {
  const part = deps.parts.find((one) => one.name === name)
  if (!part) throw new Error(`There is no part ${name}`)
  return part
}

/** The target for a part. `people` are the accounts that records may name; nobody by default. */
export function targetOf(
  run: EntityRun,
  more: Pick<TransferTarget, 'people' | 'onWritten'> = {},
): TransferTarget {
  return { project: projectOf(run), importer: run.importer, people: new Map(), ...more }
}

/** Whether the repository of the copy has a commit. */
export async function hasCommit(run: EntityRun, sha: string): Promise<boolean> {
  if (!/^[0-9a-f]{40}$/.test(sha)) return false
  return (await run.deps.repositories.resolveCommit(projectOf(run).id, sha)) !== undefined
}
