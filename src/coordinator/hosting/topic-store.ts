import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import type { Viewer } from '../access/visibility.js'
import { maySeeProject } from '../access/visibility.js'
import type { Database } from '../database/connect.js'
import type { TopicTable } from '../database/tables/topics.js'
import { containsText, sameText } from '../database/text.js'
import type { Transaction } from '../database/transaction.js'
import type { Paging } from '../http/page.js'
import { countAround, type Rows } from '../http/paging/list-rows.js'

export type TopicRow = Selectable<TopicTable>

/** A topic, with the number of its projects that the viewer sees. */
export interface CountedTopic extends TopicRow {
  total_projects_count: number
}

/** Replaces the topics of the project with these, in this order. Adds topics that are new. */
export async function saveTopics(tx: Transaction, projectId: number, topics: string[]): Promise<void> {
  await tx.deleteFrom('project_topic').where('project_id', '=', projectId).execute()
  if (topics.length === 0) return
  const rows = topics.map((name, position) => ({ project_id: projectId, name, position }))
  await tx.insertInto('project_topic').values(rows).execute()
  // In one order, so that no two transactions wait for each other.
  await tx
    .insertInto('topic')
    .values(topics.toSorted().map(newTopic))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function newTopic(name: string): Insertable<TopicTable> {
  const now = Date.now()
  const empty = { description: null, is_curated: false, avatar_name: null, avatar_key: null }
  return { name, title: name, ...empty, created_at: now, updated_at: now }
}

/** Topics of the project in their order. */
export async function topicNames(database: Database, projectId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('project_topic')
    .select('name')
    .where('project_id', '=', projectId)
    .orderBy('position')
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Topics that the viewer sees: those of projects that they see, and those of administrators. Those of most projects
 * first.
 */
export async function listTopics(
  database: Database,
  viewer: Viewer,
  { search, withoutProjects = false }: { search?: string | undefined; withoutProjects?: boolean | undefined },
  paging: Paging,
): Promise<Rows<CountedTopic>> {
  const matching = seenTopics(database, viewer)
    .$if(search !== undefined, (query) =>
      query.where(({ ref }) => containsText(ref('topic.name'), search ?? '')),
    )
    .$if(withoutProjects, (query) =>
      query.where(
        sql<SqlBool>`not exists (select 1 from project_topic where lower(project_topic.name) = lower(topic.name))`,
      ),
    )
  const rows = await matching
    .selectAll('topic')
    .orderBy('topic.total_projects_count', 'desc')
    .orderBy('topic.id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

/** Undefined for a topic that the viewer does not see. */
export function findTopic(database: Database, viewer: Viewer, id: number): Promise<CountedTopic | undefined> {
  return seenTopics(database, viewer).selectAll('topic').where('topic.id', '=', id).executeTakeFirst()
}

function seenTopics(database: Database, viewer: Viewer) {
  const counted = database
    .selectFrom('topic')
    .selectAll('topic')
    .select(
      sql<number>`(select count(*) from project_topic
        join project on project.id = project_topic.project_id
        where lower(project_topic.name) = lower(topic.name) and ${maySeeProject(viewer)})`.as(
        'total_projects_count',
      ),
    )
  return database
    .selectFrom(counted.as('topic'))
    .$if(viewer?.is_admin !== true, (query) =>
      query.where(({ or, eb }) =>
        or([eb('topic.total_projects_count', '>', 0), eb('topic.is_curated', '=', true)]),
      ),
    )
}

/** The topic of that name in any case. */
export function topicNamed(database: Database, name: string): Promise<TopicRow | undefined> {
  return database
    .selectFrom('topic')
    .selectAll()
    .where(({ ref }) => sameText(ref('name'), name))
    .executeTakeFirst()
}

/** Undefined if there is one of that name. */
export function insertTopic(
  database: Database,
  values: Insertable<TopicTable>,
): Promise<TopicRow | undefined> {
  return database
    .insertInto('topic')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if it was deleted. */
export function updateTopic(
  database: Database | Transaction,
  id: number,
  changes: Updateable<TopicTable>,
): Promise<TopicRow | undefined> {
  return database.updateTable('topic').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Deletes the topic, also from its projects. */
export async function deleteTopicRow(tx: Transaction, { id, name }: TopicRow): Promise<void> {
  await tx
    .deleteFrom('project_topic')
    .where(({ ref }) => sameText(ref('name'), name))
    .execute()
  await tx.deleteFrom('topic').where('id', '=', id).execute()
}

/** Gives the projects of one topic another one instead, in the same place. Those that have both lose the first. */
export async function moveProjects(tx: Transaction, from: string, to: string): Promise<void> {
  const isSame = from.toLowerCase() === to.toLowerCase()
  if (!isSame) {
    await tx
      .deleteFrom('project_topic')
      .where(({ ref }) => sameText(ref('name'), from))
      .where(
        sql<SqlBool>`project_id in (select other.project_id from project_topic as other
          where lower(other.name) = lower(${to}))`,
      )
      .execute()
  }
  await tx
    .updateTable('project_topic')
    .set({ name: to })
    .where(({ ref }) => sameText(ref('name'), from))
    .execute()
}

/** Adds the topics that a coordinator of an earlier release has given to projects. */
export async function addMissingTopics(database: Database): Promise<void> {
  const names = await database
    .selectFrom('project_topic')
    .select(sql<string>`min(name)`.as('name'))
    .where(sql<SqlBool>`not exists (select 1 from topic where lower(topic.name) = lower(project_topic.name))`)
    .groupBy(sql`lower(name)`)
    .limit(1000)
    .execute()
  for (const { name } of names) await insertTopic(database, newTopic(name))
}
