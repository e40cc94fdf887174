import type { Database } from '../../database/connect.js'
import type { Project, User } from '../../http/operation.js'
import { type Levels, levelsInProjects, NO_LEVELS } from '../../standing/levels.js'
import {
  attributesOf,
  forkCounts,
  forkSources,
  measuresOf,
  namesByPath,
  namespacesOf,
  ownersOf,
  sharesOf,
  starCounts,
  statisticsOf,
  topicsOfProjects,
} from './page-facts.js'
import type { FullProject, Statistics } from './schema.js'
import type { Namespace } from './store.js'
import type { ProjectMeasureTable } from './table.js'

/** What the record of a project needs beside its row, whoever looks. */
export interface SimpleFacts {
  namespace: Namespace
  /** Of a personal namespace. */
  owner: User | undefined
  /** Names of the groups that it lies in, outermost first. */
  namespaceNames: string[]
  topics: string[]
  stars: number
  forks: number
  /** Undefined until git was asked about the repository. */
  measure: ProjectMeasureTable | undefined
}

/** What the full record of a project needs beside its row. */
export interface ProjectFacts extends SimpleFacts {
  /** What the viewer is there. */
  levels: Levels
  /** What it was made of, if the viewer may see it. */
  forkedFrom: { project: Project; facts: SimpleFacts } | undefined
  shares: FullProject['shared_with_groups']
  statistics: Statistics | undefined
  attributes: { key: string; value: string }[] | undefined
}

export interface WantedFacts {
  statistics?: boolean | undefined
  attributes?: boolean | undefined
}

/** The facts of a page of simple records, in a few queries however long the page is. */
export async function loadSimpleFacts(
  database: Database,
  projects: Project[],
): Promise<(project: Project) => SimpleFacts> {
  if (projects.length === 0) return noFacts
  const ids = projects.map(({ id }) => id)
  const namespaces = await namespacesOf(database, projects)
  const [owners, names, topics, stars, forks, measures] = await Promise.all([
    ownersOf(database, [...namespaces.values()]),
    namesByPath(database, [...namespaces.values()]),
    topicsOfProjects(database, ids),
    starCounts(database, ids),
    forkCounts(database, ids),
    measuresOf(database, ids),
  ])
  return (project) => {
    const namespace = namespaces.get(project.namespace_id)
    if (!namespace) return noFacts(project)
    return {
      namespace,
      owner: namespace.kind === 'user' ? owners.get(namespace.owner_id ?? 0) : undefined,
      namespaceNames: namesOf(namespace.full_path, names),
      topics: topics.get(project.id) ?? [],
      stars: stars.get(project.id) ?? 0,
      forks: forks.get(project.id) ?? 0,
      measure: measures.get(project.id),
    }
  }
}

/** The facts of a page of full records. */
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
  const [levels, shares, statistics, attributes] = await Promise.all([
    viewer ? levelsInProjects(database, viewer.id, ids) : new Map<number, Levels>(),
    sharesOf(database, ids, viewer),
    wanted.statistics ? statisticsFor(database, projects, simple) : undefined,
    wanted.attributes ? attributesOf(database, ids) : undefined,
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
  const measures = new Map(
    projects.flatMap((project) => {
      const { measure } = simple(project)
      return measure ? [[project.id, measure] as const] : []
    }),
  )
  return statisticsOf(
    database,
    projects.map(({ id }) => id),
    measures,
  )
}
