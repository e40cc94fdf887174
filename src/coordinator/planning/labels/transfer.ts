import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { prioritiesOf } from '../stores/label-store.js'
import { createLabel } from './labels.js'
import { CreateProjectLabel } from './schema.js'

/** Import and export of the labels of a project; those of its groups are not part of the project. */
export function labelPart(database: Database): TransferPart {
  return transferPart({
    name: 'labels',
    schema: CreateProjectLabel,
    read: async function* ({ id: projectId }) {
      const rows = inPages(
        database.selectFrom('label').selectAll().where('project_id', '=', projectId),
        'label',
      )
      for await (const { id, name, color, description } of rows) {
        const priorities = await prioritiesOf(database, projectId, [id])
        yield { name, color, description, priority: priorities.get(id) ?? null }
      }
    },
    identityOf: ({ name }) => name,
    write: ({ project }, label) => createLabel(database, { project_id: project.id }, label),
  })
}
