import type { Transaction } from '../../database/transaction.js'
import { transferLabels } from './transfer-labels.js'
import { transferMilestones } from './transfer-milestones.js'

/** Replaces the milestones and labels of groups that a project has left (API, C2). */
export async function replaceGroupRecords(tx: Transaction, projectId: number): Promise<void> {
  await transferMilestones(tx, projectId)
  await transferLabels(tx, projectId)
}
