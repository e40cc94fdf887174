import { ACCESS_LEVELS } from '../../access/access-levels.js'
import { isMemberOfProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** Whether its author is no reporter of the target project, and had no merge request merged there. */
export async function isFirstContribution(
  database: Database,
  row: Pick<MergeRequestRow, 'project_id' | 'author_id'>,
): Promise<boolean> {
  const known = await database
    .selectFrom('project')
    .select('id')
    .where('id', '=', row.project_id)
    .where(({ or, exists, selectFrom }) =>
      or([
        isMemberOfProject({ id: row.author_id }, ACCESS_LEVELS.reporter),
        exists(
          selectFrom('merge_request')
            .select('merge_request.id')
            .where('merge_request.author_id', '=', row.author_id)
            .where('merge_request.project_id', '=', row.project_id)
            .where('merge_request.state', '=', 'merged'),
        ),
      ]),
    )
    .executeTakeFirst()
  return known === undefined
}
