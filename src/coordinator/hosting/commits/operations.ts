import type { Operation } from '../../http/operation.js'
import { changeOperations } from './change-operations.js'
import type { CreateCommitDeps } from './create-commit.js'
import { readOperations } from './read-operations.js'

/** Commits of a project (API, E3); commit statuses have operations of their own. */
export function commitOperations(deps: CreateCommitDeps): Operation[] {
  return [...readOperations(deps), ...changeOperations(deps)]
}
