import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { createMilestone } from './milestones.js'
import { TransferredMilestone } from './schema.js'

/** Import and export of the milestones of a project; those of its groups are not part of the project. */
export function milestonePart(database: Database): TransferPart {
  return transferPart({
    name: 'milestones',
    schema: TransferredMilestone,
    read: async function* ({ id }) {
      const rows = inPages(
        database.selectFrom('milestone').selectAll().where('project_id', '=', id),
        'milestone',
      )
      for await (const { title, description, start_date, due_date, state } of rows) {
        yield { title, description, start_date, due_date, state }
      }
    },
    identityOf: ({ title }) => title,
    write: ({ project }, milestone) => createMilestone(database, { project_id: project.id }, milestone),
  })
}
