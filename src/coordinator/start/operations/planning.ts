import type { Operation } from '../../http/operation.js'
import { issueOperations } from '../../planning/issues/operations.js'
import { labelOperations } from '../../planning/labels/operations.js'
import { milestoneOperations } from '../../planning/milestones/operations.js'
import type { Services } from '../services.js'
import type { OperationListDeps } from './operation-list-deps.js'

/** Issues, labels and milestones. */
export function listPlanningOperations(
  { database }: Services,
  { externalUrl }: OperationListDeps,
): Operation[] {
  return [
    ...issueOperations({ database, externalUrl }),
    ...labelOperations(database),
    ...milestoneOperations({ database, externalUrl }),
  ]
}
