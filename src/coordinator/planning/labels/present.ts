import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { type LabelOwner, type LabelRow, prioritiesOf } from '../stores/label-store.js'
import { subscribedLabels } from '../stores/label-subscription-store.js'
import { textColorOn } from './label-color.js'
import type { GroupLabel, ProjectLabel } from './schema.js'

/** Public records, in the order of the rows, as the viewer sees them in a project or in a group. */
export async function presentLabels(
  database: Database,
  owner: LabelOwner,
  viewer: User | undefined,
  rows: readonly LabelRow[],
): Promise<(GroupLabel | ProjectLabel)[]> {
  const ids = rows.map(({ id }) => id)
  const projectId = 'project_id' in owner ? owner.project_id : null
  const scope = viewer && { userId: viewer.id, projectId }
  const [subscribed, priorities] = await Promise.all([
    scope ? subscribedLabels(database, scope, ids) : new Set<number>(),
    projectId === null ? new Map<number, number>() : prioritiesOf(database, projectId, ids),
  ])
  const html = await Promise.all(rows.map(({ description }) => renderMarkdown(description ?? '')))
  return rows.map((row, index) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    description_html: html[index] ?? '',
    color: row.color,
    text_color: textColorOn(row.color),
    subscribed: subscribed.has(row.id),
    ...(projectId !== null && {
      priority: priorities.get(row.id) ?? null,
      is_project_label: row.project_id !== null,
    }),
  }))
}
