import { type Static, Type } from 'typebox'

import type { PlanLimit } from '../../database/stores/plan-limit-store.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const DESCRIPTIONS: Record<PlanLimit, string> = {
  ci_instance_level_variables: 'Variables of the instance',
  ci_pipeline_size: 'Jobs of a pipeline',
  ci_active_jobs: 'Jobs of the unfinished pipelines of a project',
  ci_project_subscriptions: 'Subscriptions of a project to others',
  ci_pipeline_schedules: 'Pipeline schedules of a project',
  ci_needs_size_limit: 'Needs of a job',
  ci_registered_group_runners: 'Runners of a group',
  ci_registered_project_runners: 'Runners of a project',
  dotenv_size: 'Bytes of a dotenv report',
  dotenv_variables: 'Variables of a dotenv report',
  conan_max_file_size: 'Bytes of a Conan package',
  enforcement_limit: 'Size of a top-level group above which it is read-only, in MiB',
  generic_packages_max_file_size: 'Bytes of a generic package',
  helm_max_file_size: 'Bytes of a Helm chart',
  notification_limit: 'Size of a top-level group above which its owners get a notification, in MiB',
  maven_max_file_size: 'Bytes of a Maven package',
  npm_max_file_size: 'Bytes of an npm package',
  nuget_max_file_size: 'Bytes of a NuGet package',
  pipeline_hierarchy_size: 'Pipelines of a hierarchy of downstream pipelines',
  pypi_max_file_size: 'Bytes of a PyPI package',
  terraform_module_max_file_size: 'Bytes of a Terraform module',
  storage_size_limit: 'Size of a top-level group, in MiB',
}

/** The highest number that a client can read exactly. */
const HIGHEST = Number.MAX_SAFE_INTEGER

function each<T>(make: (description: string) => T): Record<PlanLimit, T> {
  return Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, description]) => [name, make(description)]),
  ) as Record<PlanLimit, T>
}

const PlanName = described(OneOf('default'), 'Name of the plan; there is one')

export const PlanLimitsRecord = Type.Object(each((description) => Type.Integer({ description })))
export type PlanLimitsRecord = Static<typeof PlanLimitsRecord>

export const GetPlanLimits = Type.Object({ plan_name: Type.Optional(PlanName) })

export const EditPlanLimits = Type.Object({
  plan_name: PlanName,
  ...each((description) => Type.Optional(Type.Integer({ minimum: 0, maximum: HIGHEST, description }))),
})
