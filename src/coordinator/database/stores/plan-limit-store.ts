import type { Database } from '../connect.js'
import { findSettings, setSetting } from './instance-setting-store.js'

/**
 * Limits that administrators change while the coordinators run, with their values until then. 0 = no limit, but for the two
 * of dotenv reports.
 */
export const PLAN_LIMITS = {
  ci_instance_level_variables: 25,
  /** Those of the configuration until they are changed. */
  ci_pipeline_size: 0,
  ci_active_jobs: 0,
  ci_project_subscriptions: 2,
  ci_pipeline_schedules: 10,
  ci_needs_size_limit: 50,
  ci_registered_group_runners: 1000,
  ci_registered_project_runners: 1000,
  /** A report has fewer bytes. */
  dotenv_size: 5120,
  dotenv_variables: 20,
  conan_max_file_size: 3_221_225_472,
  enforcement_limit: 0,
  generic_packages_max_file_size: 5_368_709_120,
  helm_max_file_size: 5_242_880,
  notification_limit: 0,
  maven_max_file_size: 3_221_225_472,
  npm_max_file_size: 524_288_000,
  nuget_max_file_size: 524_288_000,
  pipeline_hierarchy_size: 1000,
  pypi_max_file_size: 3_221_225_472,
  terraform_module_max_file_size: 1_073_741_824,
  storage_size_limit: 0,
} as const

export type PlanLimit = keyof typeof PLAN_LIMITS
export type PlanLimits = Record<PlanLimit, number>

/** Each limit is a setting of its own, so that changes at the same time do not undo each other. */
const PREFIX = 'plan_limit.'

/** Those of the limits that administrators have changed. */
export async function changedPlanLimits<Name extends PlanLimit>(
  database: Database,
  ...names: Name[]
): Promise<Partial<Record<Name, number>>> {
  const stored = await findSettings(
    database,
    names.map((name) => PREFIX + name),
  )
  const entries = names.flatMap((name) => {
    const value = stored.get(PREFIX + name)
    return value === undefined ? [] : [[name, Number(value)]]
  })
  return Object.fromEntries(entries) as Partial<Record<Name, number>>
}

/** One limit as it is now, on every coordinator of the store. */
export async function planLimit(database: Database, name: PlanLimit): Promise<number> {
  return (await changedPlanLimits(database, name))[name] ?? PLAN_LIMITS[name]
}

export async function setPlanLimits(database: Database, limits: Partial<PlanLimits>): Promise<void> {
  for (const [name, value] of Object.entries(limits)) await setSetting(database, PREFIX + name, String(value))
}
