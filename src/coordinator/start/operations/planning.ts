import type { Operation } from '../../http/operation.js'
import { milestoneOperations } from '../../planning/milestones/operations.js'
import type { Services } from '../services.js'
import type { OperationListDeps } from './operation-list-deps.js'

/** Milestones. */
export function listPlanningOperations(
  { database }: Services,
  { externalUrl }: OperationListDeps,
): Operation[] {
  return [...milestoneOperations({ database, externalUrl })]
}
