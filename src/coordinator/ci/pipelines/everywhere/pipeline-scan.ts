import type { SelectQueryBuilder } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Paging } from '../../../http/page.js'

/** Pipelines without regard to who may see them. */
export type Pipelines = SelectQueryBuilder<Tables, 'pipeline', object>
/** The projects whose pipelines are visible. */
export type Projects = SelectQueryBuilder<Tables, 'project', { id: number }>

/**
 * Reads matching pipelines in batches, newest first, and then looks which of their projects are visible. A join
 * with the visible projects would be simpler, but PostgreSQL plans some of them badly.
 */
export class PipelineScan {
  private readonly visible = new Map<number, boolean>()
  private readonly found: number[] = []
  private last: number | undefined

  constructor(
    private readonly database: Database,
    private readonly matching: Pipelines,
    private readonly projects: Projects,
    private readonly paging: Paging,
  ) {
    this.last = paging.keyset?.after?.id
  }

  /** Returns whether the page is complete, or there are no further pipelines. */
  async readBatch(size: number): Promise<boolean> {
    const { last } = this
    const rows = await this.matching
      .select(['pipeline.id', 'pipeline.project_id'])
      .$if(last !== undefined, (query) => query.where('pipeline.id', '<', last ?? 0))
      .orderBy('pipeline.id', 'desc')
      .limit(size)
      .execute()
    await this.lookUp(rows.map(({ project_id }) => project_id))
    for (const { id, project_id } of rows) if (this.visible.get(project_id)) this.found.push(id)
    this.last = rows.at(-1)?.id
    return rows.length < size || this.found.length >= this.paging.offset + this.paging.perPage
  }

  async page(): Promise<PipelineRow[]> {
    const { offset, perPage } = this.paging
    const ids = this.found.slice(offset, offset + perPage)
    if (ids.length === 0) return []
    return this.database
      .selectFrom('pipeline')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute()
  }

  private async lookUp(projectIds: number[]): Promise<void> {
    const unknown = [...new Set(projectIds)].filter((id) => !this.visible.has(id))
    if (unknown.length === 0) return
    const rows = await this.projects.where('project.id', 'in', unknown).execute()
    for (const id of unknown) this.visible.set(id, false)
    for (const { id } of rows) this.visible.set(id, true)
  }
}
