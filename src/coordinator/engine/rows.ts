import type { Insertable, Selectable } from 'kysely'

import type { ProjectTable } from '../resources/projects/table.js'
import type { RunnerTable } from '../resources/runners/table.js'
import type { UserTable } from '../resources/users/table.js'
import type { JobTable, PipelineTable } from './tables.js'

export type JobRow = Selectable<JobTable>
export type NewJob = Insertable<JobTable>
export type PipelineRow = Selectable<PipelineTable>
export type ProjectRow = Selectable<ProjectTable>
export type RunnerRow = Selectable<RunnerTable>
export type UserRow = Selectable<UserTable>
