import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Transaction } from '../../database/transaction.js'
import type { MilestoneReplacement } from '../../integrations/resource-event-log/store.js'

/** Gives the boards and lists of a label the label that replaces it: all of them, or those of one project. */
export async function replaceLabelOnBoards(
  tx: Transaction,
  from: number,
  to: number,
  projectId?: number,
): Promise<void> {
  const isReplaced = sql<SqlBool>`label_id = ${from} and ${isOfProject(projectId)}`
  await tx
    .insertInto('board_label')
    .columns(['board_id', 'label_id'])
    .expression(({ selectFrom }) =>
      selectFrom('board_label')
        .select(['board_id', sql<number>`cast(${to} as bigint)`.as('label_id')])
        .where(() => isReplaced),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .deleteFrom('board_label')
    .where(() => isReplaced)
    .execute()
  await replaceInLists(tx, { column: 'label_id', from: [from], to, projectId })
}

/** Gives the boards and lists of milestones the milestone that replaces them. */
export async function replaceMilestoneOnBoards(
  tx: Transaction,
  { from, to, projectId }: MilestoneReplacement,
): Promise<void> {
  await tx
    .updateTable('board')
    .set({ milestone_id: to })
    .where('milestone_id', 'in', from)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .execute()
  await replaceInLists(tx, { column: 'milestone_id', from, to, projectId })
}

interface ListReplacement {
  column: 'label_id' | 'milestone_id'
  from: readonly number[]
  to: number
  projectId: number | undefined
}

/** A board has one list of a label or a milestone: the first one of several that become the same. */
async function replaceInLists(
  tx: Transaction,
  { column, from, to, projectId }: ListReplacement,
): Promise<void> {
  const name = sql.ref(column)
  const isReplaced = sql<SqlBool>`${name} in (${sql.join(from)}) and ${isOfProject(projectId)}`
  await tx
    .deleteFrom('board_list')
    .where(() => isReplaced)
    .where(
      () => sql<SqlBool>`exists (select 1 from board_list as other where other.board_id = board_list.board_id
        and (other.${name} = ${to}
          or (other.${name} in (${sql.join(from)}) and other.id < board_list.id)))`,
    )
    .execute()
  await tx
    .updateTable('board_list')
    .set({ [column]: to })
    .where(() => isReplaced)
    .execute()
}

function isOfProject(projectId: number | undefined): RawBuilder<SqlBool> {
  if (projectId === undefined) return sql<SqlBool>`true`
  return sql<SqlBool>`board_id in (select board.id from board where board.project_id = ${projectId})`
}
