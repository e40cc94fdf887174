import type { Project, User } from '../../../access/caller.js'
import { type Levels, levelsInProjects, NO_LEVELS } from '../../../access/membership-levels.js'
import type { Database } from '../../../database/connect.js'
import { type CustomAttribute, customAttributesOf } from '../../../http/presenters/custom-attributes.js'
import {
  factsOf,
  type FactsRow,
  forkSources,
  namesByPath,
  type ProjectSize,
  sharesOf,
  statisticsOf,
  topicsOfProjects,
} from './page-facts.js'
import type { FullProject, Statistics } from './schema.js'

/** Facts of a project record that do not depend on the viewer. */
export interface SimpleFacts {
  namespace: Pick<FactsRow, 'id' | 'name' | 'path' | 'kind' | 'full_path' | 'parent_id' | 'avatar'>
  /** Names of the ancestor groups, outermost first. */
  namespaceNames: string[]
  topics: string[]
  forks: number
  measure: ProjectSize
  /** Owner of a personal project. */
  owner: Pick<User, 'id' | 'name' | 'username' | 'created_at' | 'avatar'> | undefined
  isShared: boolean
}

/** Facts of a full project record. */
export interface ProjectFacts extends SimpleFacts {
  /** Access levels of the viewer. */
  levels: Levels
  /** Fork source, if the viewer may see it. */
  forkedFrom: { project: Project; facts: SimpleFacts } | undefined
  shares: FullProject['shared_with_groups']
  statistics: Statistics | undefined
  attributes: CustomAttribute[] | undefined
}

export interface WantedFacts {
  statistics?: boolean | undefined
  attributes?: boolean | undefined
}

/** Loads the facts for a page of simple records, in a fixed number of queries. */
export async function loadSimpleFacts(
  database: Database,
  projects: Project[],
): Promise<(project: Project) => SimpleFacts> {
  if (projects.length === 0) return noFacts
  const rows = await factsOf(database, projects)
  const withTopics = [...rows.values()].filter(({ has_topics }) => has_topics)
  const [names, topics] = await Promise.all([
    namesByPath(database, [...rows.values()]),
    topicsOfProjects(
      database,
      withTopics.map(({ project_id }) => project_id),
    ),
  ])
  return (project) => {
    const row = rows.get(project.id)
    if (!row) return noFacts(project)
    const namespaceNames = namesOf(row.full_path, names)
    return { ...factsIn(row), namespaceNames, topics: topics.get(project.id) ?? [] }
  }
}

function factsIn(row: FactsRow): Omit<SimpleFacts, 'namespaceNames' | 'topics'> {
  const { forks, is_shared } = row
  return {
    namespace: row,
    measure: row,
    forks: forks ?? 0,
    owner: ownerIn(row),
    isShared: Boolean(is_shared),
  }
}

function ownerIn(row: FactsRow): SimpleFacts['owner'] {
  const { owner_id: id, owner_name: name, owner_username: username, owner_created_at: created_at } = row
  if (id === null || name === null || username === null || created_at === null) return undefined
  return { id, name, username, created_at, avatar: row.owner_avatar }
}

/** Loads the facts for a page of full records. */
export async function loadFacts(
  database: Database,
  projects: Project[],
  viewer: User | undefined,
  wanted: WantedFacts = {},
): Promise<(project: Project) => ProjectFacts> {
  if (projects.length === 0) return noFacts
  const ids = projects.map(({ id }) => id)
  const sources = await forkSources(database, projects, viewer)
  const simple = await loadSimpleFacts(database, [...projects, ...sources.values()])
  const shared = projects.filter((project) => simple(project).isShared).map(({ id }) => id)
  const [levels, shares, statistics, attributes] = await Promise.all([
    viewer ? levelsInProjects(database, viewer.id, ids) : new Map<number, Levels>(),
    sharesOf(database, shared, viewer),
    wanted.statistics ? statisticsFor(database, projects, simple) : undefined,
    wanted.attributes ? customAttributesOf(database, 'project_id', ids) : undefined,
  ])
  return (project) => {
    const facts = simple(project)
    const source = sources.get(project.forked_from_id ?? 0)
    return {
      ...facts,
      levels: levels.get(project.id) ?? NO_LEVELS,
      forkedFrom: source && { project: source, facts: simple(source) },
      shares: shares.get(project.id) ?? [],
      statistics: statistics?.get(project.id),
      attributes: attributes && (attributes.get(project.id) ?? []),
    }
  }
}

function noFacts(project: Project): never {
  throw new TypeError(`Project ${project.id} has no namespace`)
}

function namesOf(fullPath: string, names: Map<string, string>): string[] {
  const parts = fullPath.split('/')
  return parts.map(
    (part, index) =>
      names.get(
        parts
          .slice(0, index + 1)
          .join('/')
          .toLowerCase(),
      ) ?? part,
  )
}

function statisticsFor(
  database: Database,
  projects: Project[],
  simple: (project: Project) => SimpleFacts,
): Promise<Map<number, Statistics>> {
  return statisticsOf(database, new Map(projects.map((project) => [project.id, simple(project).measure])))
}
