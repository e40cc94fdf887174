import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import type { JobRecords } from '../../http/presenters/job-records.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { setProcessMode } from '../engine/advance/resource-groups/set-process-mode.js'
import { countUpcomingJobs, type ResourceGroupRow } from '../engine/advance/resource-groups/store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { findJobs } from '../engine/job-store.js'
import {
  type DetailedResourceGroup,
  EditResourceGroup,
  GroupKey,
  ListResourceGroups,
  ResourceGroup,
  ShowGroup,
} from './schema.js'
import { findGroup, findHolders, listResourceGroups, listUpcomingJobs } from './store.js'

export interface ResourceGroupDeps {
  engine: EngineDeps
  jobs: JobRecords
}

/**
 * Resources that only one job at a time may use. CI files create the groups by naming them (CI language,
 * 12.8).
 */
export function resourceGroupOperations(deps: ResourceGroupDeps): Operation[] {
  return [...groupOperations(deps), ...jobOperations(deps)]
}

function groupOperations({ engine }: ResourceGroupDeps): Operation[] {
  const { database } = engine
  return [
    operation('GET /projects/:id/resource_groups', {
      summary: 'List project resource groups',
      access: 'read_resource_groups',
      params: ListResourceGroups,
      responses: { 200: Type.Array(ResourceGroup) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listResourceGroups(database, project.id, paging)
        return page(params.with_details ? await describeGroups(database, rows) : rows.map(present), total)
      },
    }),
    operation('GET /projects/:id/resource_groups/:key', {
      summary: 'Get a resource group',
      access: 'read_resource_groups',
      params: ShowGroup,
      responses: { 200: ResourceGroup },
      run: async ({ project, params: { key, with_details: withDetails } }) => {
        const group = await requireResourceGroup(engine, project, key)
        return withDetails ? (await describeGroups(database, [group]))[0] : present(group)
      },
    }),
    operation('PUT /projects/:id/resource_groups/:key', {
      summary: 'Update the process mode of a resource group',
      access: 'manage_resource_groups',
      params: EditResourceGroup,
      changes: {
        attributes: ['process_mode'],
        before: ({ project, params }) => requireResourceGroup(engine, project, params.key),
      },
      responses: { 200: ResourceGroup },
      run: async ({ project, params: { key, process_mode } }) => {
        const group = await requireResourceGroup(engine, project, key)
        if (process_mode === undefined) return present(group)
        const changed = await setProcessMode(engine, group, process_mode)
        if (!changed) throw notFound()
        return present(changed)
      },
    }),
  ]
}

function jobOperations({ engine, jobs }: ResourceGroupDeps): Operation[] {
  const { database } = engine
  return [
    operation('GET /projects/:id/resource_groups/:key/upcoming_jobs', {
      summary: 'List upcoming jobs of a resource group, in the order of processing',
      access: 'read_resource_groups',
      params: GroupKey,
      responses: { 200: Type.Array(jobs.schema) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const group = await requireResourceGroup(engine, project, params.key)
        const rows = await listUpcomingJobs(database, group, paging)
        const counts = await countUpcomingJobs(database, [group])
        return page(await jobs.describe(rows), counts.get(group.id))
      },
    }),
    operation('GET /projects/:id/resource_groups/:key/current_job', {
      summary: 'Get the job that currently holds the resource',
      access: 'read_resource_groups',
      params: GroupKey,
      responses: { 200: jobs.schema },
      run: async ({ project, params }) => {
        const { job_id } = await requireResourceGroup(engine, project, params.key)
        const [record] = job_id === null ? [] : await jobs.describe(await findJobs(database, [job_id]))
        if (record === undefined) throw notFound('Job')
        return record
      },
    }),
  ]
}

async function requireResourceGroup(
  { database }: EngineDeps,
  project: Project,
  key: string,
): Promise<ResourceGroupRow> {
  const group = await findGroup(database, project.id, key)
  if (!group) throw notFound('Resource Group')
  return group
}

/** Records with the job that has the resource, and the number of those that come next. */
async function describeGroups(
  database: Database,
  groups: ResourceGroupRow[],
): Promise<DetailedResourceGroup[]> {
  const holders = await findHolders(database, groups)
  const upcoming = await countUpcomingJobs(database, groups)
  return groups.map((group) => {
    const holder = holders.get(group.job_id ?? 0)
    return {
      ...present(group),
      current_job: holder ? { ...holder, started_at: isoTimeOrNull(holder.started_at) } : null,
      upcoming_jobs: upcoming.get(group.id) ?? 0,
    }
  })
}

function present({ id, key, process_mode, created_at, updated_at }: ResourceGroupRow): ResourceGroup {
  return { id, key, process_mode, created_at: isoTime(created_at), updated_at: isoTime(updated_at) }
}
