import { recordOf } from '../../lib/record-of.js'
import type { FeatureLevel } from '../database/tables/projects.js'
import type { Project } from './caller.js'

/** The parts of a project that can be switched off, or kept for members (API, A15 and C1). */
export const FEATURES = [
  ...(['repository', 'builds', 'forking', 'releases', 'environments', 'issues', 'merge_requests'] as const),
  ...(['wiki', 'snippets', 'operations', 'analytics', 'pages', 'container_registry'] as const),
]

export type Feature = (typeof FEATURES)[number]
export type FeatureColumn = `${Feature}_access_level`

export const FEATURE_COLUMNS = FEATURES.map((feature): FeatureColumn => `${feature}_access_level`)

const THERE = new Set<Feature>(['repository', 'builds', 'forking', 'releases', 'environments'])

/** Whether there is something that the level decides about; that of the others is kept for clients alone. */
export function isFeatureThere(column: FeatureColumn): boolean {
  return FEATURES.some((feature) => `${feature}_access_level` === column && THERE.has(feature))
}

/** Older names of the same switches, on or off. */
export const FEATURE_SWITCHES = {
  issues_enabled: 'issues_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  jobs_enabled: 'builds_access_level',
  wiki_enabled: 'wiki_access_level',
  snippets_enabled: 'snippets_access_level',
  container_registry_enabled: 'container_registry_access_level',
} as const satisfies Record<string, FeatureColumn>

export type FeatureSwitch = keyof typeof FEATURE_SWITCHES

export const SWITCH_NAMES: FeatureSwitch[] = [
  ...(['issues_enabled', 'merge_requests_enabled', 'jobs_enabled'] as const),
  ...(['wiki_enabled', 'snippets_enabled', 'container_registry_enabled'] as const),
]

/** The levels of the record; `disabled` for features that are not built, whatever a client has set. */
export function featureLevels(project: Project): Record<FeatureColumn, FeatureLevel> {
  return recordOf(FEATURE_COLUMNS, (column) => levelOf(project, column))
}

function levelOf(project: Project, column: FeatureColumn): FeatureLevel {
  return isFeatureThere(column) ? project[column] : 'disabled'
}

/** The levels as they were called once. */
export function featureSwitches(project: Project): Record<FeatureSwitch, boolean> {
  return recordOf(SWITCH_NAMES, (name) => levelOf(project, FEATURE_SWITCHES[name]) !== 'disabled')
}
