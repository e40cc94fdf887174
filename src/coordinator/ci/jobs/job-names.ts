import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'

/** A name of jobs, and a project that has such jobs. */
export interface JobName {
  name: string
  project_id: number
}

/** Maximum number of different names that are read, each with one index lookup. */
const MAX_NAMES = 20_000

/**
 * The names that contain all words, case-insensitive, each with every project that has such jobs, or with the one project.
 * Undefined if they are more than `most`, or if the instance has too many different names to read them all. The time
 * depends on the number of names, and not on that of jobs.
 */
export async function namesInProjects(
  database: Database,
  { words, projectId, most }: { words: string[]; projectId: number | undefined; most: number },
): Promise<JobName[] | undefined> {
  const names = await namesWith(database, words, most)
  if (names === undefined || names.length === 0) return names && []
  const wanted = sql.join(names.map((name) => sql`(${name})`))
  const inProject = projectId === undefined ? sql`` : sql`and job.project_id = ${projectId}`
  const { rows } = await sql<JobName>`
    with recursive wanted(name) as (values ${wanted}), found(name, project_id) as (
      select name, (
        select project_id from job where job.name = wanted.name ${inProject} order by project_id limit 1
      ) from wanted
      union all
      select name, (
        select project_id from job where job.name = found.name and job.project_id > found.project_id ${inProject}
        order by project_id limit 1
      ) from found where found.project_id is not null
    )
    select name, project_id from found where project_id is not null limit ${most + 1}`.execute(database)
  return rows.length > most ? undefined : rows
}

/** Those of the first `MAX_NAMES` names, whose last one says that there are others. */
async function namesWith(database: Database, words: string[], most: number): Promise<string[] | undefined> {
  const isWanted = sql.join(
    words.map((word) => containsText(sql.ref('found.name'), word)),
    sql` and `,
  )
  const { rows } = await sql<{ name: string; rank: number }>`
    with recursive found(name, rank) as (
      select (select name from job order by name limit 1), 1
      union all
      select (select name from job where job.name > found.name order by name limit 1), rank + 1
      from found where found.name is not null and rank <= ${MAX_NAMES}
    )
    select name, rank from found
    where name is not null and (rank > ${MAX_NAMES} or ${isWanted}) limit ${most + 1}`.execute(database)
  const isComplete = rows.length <= most && rows.every(({ rank }) => rank <= MAX_NAMES)
  return isComplete ? rows.map(({ name }) => name) : undefined
}
