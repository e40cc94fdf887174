import type { Transaction } from '../../database/transaction.js'
import { findLabel, insertLabel, type LabelRow } from '../stores/label-store.js'
import { foreignLabelsOfProject, replaceLabelInProject } from '../stores/replace-label.js'

/**
 * Replaces the labels of groups that a project has left by those with the same name that it now has, or by copies
 * that belong to the project (API, C2).
 */
export async function transferLabels(tx: Transaction, project_id: number): Promise<void> {
  for (const foreign of await foreignLabelsOfProject(tx, project_id)) {
    const { name, color, description } = foreign
    const to =
      (await presentLabel(tx, project_id, name)) ??
      (await insertLabel(tx, { project_id }, { name, color, description })) ??
      // Another request has just created it.
      (await presentLabel(tx, project_id, name))
    if (to) await replaceLabelInProject(tx, project_id, foreign, to)
  }
}

/** The label of the project itself, or else of a group above it. */
async function presentLabel(
  tx: Transaction,
  project_id: number,
  name: string,
): Promise<LabelRow | undefined> {
  const own = await findLabel(tx, { project_id }, { name })
  return own ?? findLabel(tx, { project_id }, { name }, { ancestorsFor: { viewer: undefined } })
}
