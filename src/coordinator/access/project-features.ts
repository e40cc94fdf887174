import { recordOf } from '../../lib/record-of.js'
import type { FeatureLevel } from '../database/tables/projects.js'
import type { Project } from './caller.js'

/** Features of a project that can be disabled or limited to members (API, A15 and C1). */
export const FEATURES = [
  ...(['repository', 'builds', 'forking', 'releases', 'environments', 'issues', 'merge_requests'] as const),
  ...(['wiki', 'snippets', 'operations', 'analytics', 'pages', 'container_registry'] as const),
]

export type Feature = (typeof FEATURES)[number]
export type FeatureColumn = `${Feature}_access_level`

export const FEATURE_COLUMNS = FEATURES.map((feature): FeatureColumn => `${feature}_access_level`)

const THERE = new Set<Feature>([
  ...(['repository', 'builds', 'forking', 'releases', 'environments', 'issues', 'merge_requests'] as const),
  ...(['wiki', 'snippets', 'pages'] as const),
])

/** Whether the feature exists; the levels of other features are only stored for clients. */
export function isFeatureThere(column: FeatureColumn): boolean {
  return FEATURES.some((feature) => `${feature}_access_level` === column && THERE.has(feature))
}

/** Older names of the same settings, as booleans. */
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

type PlainColumn = Exclude<FeatureColumn, 'pages_access_level'>

/** Those without the level `public`. */
const PLAIN_COLUMNS = FEATURE_COLUMNS.filter(
  (column): column is PlainColumn => column !== 'pages_access_level',
)

/**
 * Feature levels of a project record; features that do not exist are `disabled`, whatever a client has set.
 */
export function featureLevels(project: Project): Pick<Project, FeatureColumn> {
  const { pages_access_level } = project
  return { ...recordOf(PLAIN_COLUMNS, (column) => levelOf(project, column)), pages_access_level }
}

function levelOf(project: Project, column: PlainColumn): FeatureLevel {
  return isFeatureThere(column) ? project[column] : 'disabled'
}

/** The levels under their older names, as booleans. */
export function featureSwitches(project: Project): Record<FeatureSwitch, boolean> {
  return recordOf(SWITCH_NAMES, (name) => levelOf(project, FEATURE_SWITCHES[name]) !== 'disabled')
}
