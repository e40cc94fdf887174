import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { Commit } from '../../../git/parse-commit.js'
import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { isTextInJson } from '../../database/json-rows.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import type { Paging } from '../../http/page.js'
import { type Rows, rowsOfPage } from '../../http/paging/list-rows.js'
import { MAX_PARTS } from '../../http/paging/newest-of-projects.js'
import { pageOf } from '../../http/paging/page-of.js'
import type { EngineRepositories } from '../engine/engine-deps.js'
import { readableCommit } from '../engine/readable-commit.js'
import { type PipelineSelection, selectPipelines } from './store.js'
import { isNumbered, matchesWord, refsWith, usersWith, type WordMeaning } from './word-store.js'

export interface SearchPipelinesDeps {
  database: Database
  repositories: Pick<EngineRepositories, 'readCommit'>
}

export interface PipelineSearch {
  project: Pick<Project, 'id'>
  filters: PipelineSelection
  words: string[]
}

type Pipelines = SelectQueryBuilder<Tables, 'pipeline', object>

/** Pipelines whose commits are read for their titles. */
const READ_FOR_TITLES = 500
/** No index has names of pipelines or parts of texts, so they are looked for in this many pipelines. */
const SEARCHED = 10_000
/** Pipelines of more users are not looked for one user after the other. */
const MAX_USERS = 50

/**
 * A page of the pipelines of a project that match the filters and each of the words. A word is a part of the ref, of the
 * name, or of the name or username of the user, the first digits of the SHA, or the ID. It may also be a part of the title
 * or the author of the commit, in the newest 500 pipelines. The rows are not counted.
 *
 * Branches, tags, users, SHAs and IDs find pipelines of any age, each by an index; the newest 10,000 are searched for the
 * rest. A page far behind the first one searches all pipelines, because those before it have filled theirs.
 */
export async function searchPipelines(
  { database, repositories }: SearchPipelinesDeps,
  { project, filters, words }: PipelineSearch,
  paging: Paging,
): Promise<Rows<PipelineRow>> {
  const { order_by: column = 'id', sort: direction = 'desc' } = filters
  const order = { table: 'pipeline', column, direction } as const
  const selected = await selectPipelines(database, project.id, filters)
  const commits = await newestCommits(repositories, project.id, selected)
  const meanings: Meaning[] = []
  for (const word of words) meanings.push(await readWord(database, project.id, word, commits))
  const matching = meanings.reduce(
    (query, meaning) => query.where(() => matchesWord(database, meaning)),
    selected,
  )
  const last = paging.offset + paging.perPage
  const isNewestFirst = column === 'id' && direction === 'desc'
  if (!isNewestFirst || last > MAX_PARTS)
    return { rows: await rowsOfPage(database, matching, paging, order), total: undefined }
  const fromStart = { ...paging, offset: 0, perPage: last }
  const parts = narrowingConditions(database, selected, meanings).map(
    (part) =>
      sql`select id from (${pageOf(matching.where(() => part).select('pipeline.id'), fromStart, order)}) as part`,
  )
  const found = await sql<{ id: number }>`
    select id from (${sql.join(parts, sql` union `)}) as parts
    order by id desc limit ${paging.perPage} offset ${paging.offset}`.execute(database)
  const ids = found.rows.map(({ id }) => id)
  if (ids.length === 0) return { rows: [], total: undefined }
  const rows = await database
    .selectFrom('pipeline')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return { rows, total: undefined }
}

/** What a word can stand for. */
interface Meaning extends WordMeaning {
  /** Branches and tags that contain it; undefined if they are too many. */
  refs: { ref: string; tag: boolean }[] | undefined
}

async function readWord(
  database: Database,
  projectId: number,
  word: string,
  commits: readonly Commit[],
): Promise<Meaning> {
  const lower = word.toLowerCase()
  const said = commits.filter(({ title, authorName }) =>
    `${title}\n${authorName}`.toLowerCase().includes(lower),
  )
  return {
    word,
    refs: await refsWith(database, { projectId, word, most: MAX_PARTS / 2 }),
    userIds: await usersWith(database, word),
    shas: JSON.stringify(said.map(({ id }) => id)),
  }
}

/**
 * Conditions that each leave few pipelines, or those of an index. Together they keep every pipeline that the searched
 * words find.
 */
function narrowingConditions(
  database: Database,
  selected: Pipelines,
  meanings: readonly Meaning[],
): Expression<SqlBool>[] {
  const newest = selected.select('pipeline.id').orderBy('pipeline.id', 'desc').limit(SEARCHED)
  const [rarest] = meanings
    .filter(({ refs }) => refs !== undefined)
    .toSorted((a, b) => (a.refs?.length ?? 0) - (b.refs?.length ?? 0))
  const inNewest = sql<SqlBool>`pipeline.id in (${newest})`
  if (!rarest) return [inNewest]
  const { refs = [], userIds = [], shas, word } = rarest
  return [
    inNewest,
    isTextInJson(dialectOf(database), sql.ref('pipeline.sha'), sql.val(shas)),
    ...isNumbered(word),
    ...refs.map(({ ref, tag }) => sql<SqlBool>`(pipeline.ref = ${ref} and pipeline.tag = ${tag})`),
    ...(userIds.length > MAX_USERS ? [] : userIds).map((id) => sql<SqlBool>`pipeline.user_id = ${id}`),
  ]
}

/** The commits of the newest pipelines, each once. A commit that no longer exists in the repository is left out. */
async function newestCommits(
  repositories: SearchPipelinesDeps['repositories'],
  projectId: number,
  selected: Pipelines,
): Promise<Commit[]> {
  const rows = await selected
    .select('pipeline.sha')
    .orderBy('pipeline.id', 'desc')
    .limit(READ_FOR_TITLES)
    .execute()
  const shas = [...new Set(rows.map(({ sha }) => sha))]
  const commits = await Promise.all(shas.map((sha) => readableCommit(repositories, projectId, sha)))
  return commits.filter((commit) => commit !== undefined)
}
