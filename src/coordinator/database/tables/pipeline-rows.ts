import type { Insertable, Selectable } from 'kysely'

import type { JobTable, PipelineTable } from './pipelines.js'
import type { ProjectTable } from './projects.js'
import type { RunnerTable } from './runners.js'
import type { UserTable } from './users.js'

export type JobRow = Selectable<JobTable>
export type NewJob = Insertable<JobTable>
export type PipelineRow = Selectable<PipelineTable>
export type ProjectRow = Selectable<ProjectTable>
export type RunnerRow = Selectable<RunnerTable>
export type UserRow = Selectable<UserTable>
