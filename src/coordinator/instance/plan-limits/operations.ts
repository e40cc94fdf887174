import type { PipelineLimits } from '../../ci/engine/pipeline-limits.js'
import type { Database } from '../../database/connect.js'
import {
  changedPlanLimits,
  PLAN_LIMITS,
  type PlanLimit,
  setPlanLimits,
} from '../../database/stores/plan-limit-store.js'
import { type Operation, operation } from '../../http/operation.js'
import { EditPlanLimits, GetPlanLimits, PlanLimitsRecord } from './schema.js'

export interface PlanLimitDeps {
  database: Database
  settings: { pipelines: PipelineLimits }
}

const NAMES = Object.keys(PLAN_LIMITS) as PlanLimit[]

/** Limits that administrators change while the coordinators run (API, L1b). */
export function planLimitOperations(deps: PlanLimitDeps): Operation[] {
  return [
    operation('GET /application/plan_limits', {
      summary: 'Get the limits of the instance',
      access: 'administrator',
      params: GetPlanLimits,
      responses: { 200: PlanLimitsRecord },
      run: () => currentLimits(deps),
    }),
    operation('PUT /application/plan_limits', {
      summary: 'Change limits of the instance',
      access: 'administrator',
      params: EditPlanLimits,
      changes: { attributes: NAMES, before: () => currentLimits(deps) },
      responses: { 200: PlanLimitsRecord },
      run: async ({ params: { plan_name: _, ...limits } }) => {
        await setPlanLimits(deps.database, limits)
        return currentLimits(deps)
      },
    }),
  ]
}

async function currentLimits({ database, settings }: PlanLimitDeps): Promise<PlanLimitsRecord> {
  const { jobsPerPipeline, activeJobs } = settings.pipelines
  const configured = { ci_pipeline_size: jobsPerPipeline, ci_active_jobs: activeJobs }
  return { ...PLAN_LIMITS, ...configured, ...(await changedPlanLimits(database, ...NAMES)) }
}
