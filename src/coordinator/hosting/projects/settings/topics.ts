import type { Database } from '../../../database/connect.js'
import type { Transaction } from '../../../database/transaction.js'

/** Replaces the topics of the project with these, in this order. */
export async function saveTopics(tx: Transaction, projectId: number, topics: string[]): Promise<void> {
  await tx.deleteFrom('project_topic').where('project_id', '=', projectId).execute()
  if (topics.length === 0) return
  const rows = topics.map((name, position) => ({ project_id: projectId, name, position }))
  await tx.insertInto('project_topic').values(rows).execute()
}

/** Topics in their order. */
export async function topicNames(database: Database, projectId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('project_topic')
    .select('name')
    .where('project_id', '=', projectId)
    .orderBy('position')
    .execute()
  return rows.map(({ name }) => name)
}
