import type { ContextVariable } from '../context-variable.js'
import { tierOf } from '../environment-tier.js'
import type { JobWhen, PlannedEnvironment } from '../plan.js'
import { listOf } from './list-of.js'
import { slug } from './slug.js'

/** The facts about a job before it runs. */
export interface JobFacts {
  name: string
  stage: string
  when: JobWhen
  parallel?: { index: number; total: number } | undefined
  environment?: Pick<PlannedEnvironment, 'name' | 'action' | 'tier' | 'url'> | undefined
}

/** Predefined variables of a job, from the evaluation of its rules on (CI language, 8.7, phase R). */
export function predefinedOfJob({ name, stage, when, parallel, environment }: JobFacts): ContextVariable[] {
  return listOf({
    CI_JOB_NAME: name,
    CI_JOB_NAME_SLUG: slug(name),
    CI_JOB_GROUP_NAME: groupName(name),
    CI_JOB_STAGE: stage,
    CI_JOB_MANUAL: when === 'manual' || when === 'delayed' ? 'true' : undefined,
    CI_NODE_INDEX: parallel?.index,
    CI_NODE_TOTAL: parallel?.total ?? 1,
    CI_ENVIRONMENT_NAME: environment?.name,
    CI_ENVIRONMENT_ACTION: environment?.action,
    CI_ENVIRONMENT_TIER: environment && (environment.tier ?? tierOf(environment.name)),
    CI_ENVIRONMENT_URL: environment?.url,
  })
}

/**
 * The name without the part that distinguishes instances: `test 1/3` and `test: [a, b]` are in the group
 * `test`.
 */
export function groupName(name: string): string {
  return name.replace(/(?:[\s:]+(?:\[.*\]|\d+[\s:/\\]+\d+)){1,3}$/s, '').trim()
}
