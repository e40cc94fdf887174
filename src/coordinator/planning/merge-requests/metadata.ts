import { may } from '../../access/access.js'
import type { Project } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import type { CallerInProject } from '../access/issue-access.js'
import { findOrCreateLabels } from '../stores/label-store.js'
import { labelsOfMergeRequests, setMergeRequestLabels } from '../stores/merge-request-label-store.js'
import type { EditMergeRequest } from './schema.js'

/** The milestone to set; undefined = no change. An unknown milestone, and one of another project, is as none. */
export async function milestoneChange(
  tx: Transaction,
  project: Project,
  id: number | null | undefined,
): Promise<{ milestone_id?: number | null }> {
  if (id === undefined) return {}
  if (id === null || id === 0) return { milestone_id: null }
  const [milestone] = await milestonesForProject(tx, project.id, { ids: [id] })
  return { milestone_id: milestone?.id ?? null }
}

type LabelChanges = Pick<EditMergeRequest, 'labels' | 'add_labels' | 'remove_labels'>

/** Labels that do not exist are created if the caller may; otherwise they are ignored. */
export async function changeLabels(
  tx: Transaction,
  caller: CallerInProject,
  id: number,
  { labels, add_labels, remove_labels }: LabelChanges,
): Promise<void> {
  if (labels === undefined && add_labels === undefined && remove_labels === undefined) return
  const present = (await labelsOfMergeRequests(tx, [id])).get(id) ?? []
  const removed = new Set(remove_labels)
  const wanted = [...(labels ?? present.map(({ name }) => name)), ...(add_labels ?? [])]
  const names = wanted.filter((name) => !removed.has(name))
  const mayCreate = may('manage_labels', caller)
  const ids = await findOrCreateLabels(tx, caller.project.id, names, { mayCreate })
  await setMergeRequestLabels(tx, id, ids)
}

/** Whether the commits are squashed: what is wanted, unless the project decides (API, C1). */
export function squashOf(
  { squash_option }: Pick<Project, 'squash_option'>,
  wanted: boolean | undefined,
): boolean {
  if (squash_option === 'always' || squash_option === 'never') return squash_option === 'always'
  return wanted ?? squash_option === 'default_on'
}
