import { join } from 'node:path'

import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { createProjectFinder } from '../../hosting/projects/find-project.js'
import { StatisticsWorker } from '../../hosting/projects/statistics/statistics-worker.js'
import { FetchCounts } from '../../hosting/repositories/fetch-counts.js'
import { GitSemaphore } from '../../hosting/repositories/git-semaphore.js'
import { Repositories } from '../../hosting/repositories/repositories.js'
import { FolderTemplates, INSTALLED_TEMPLATES } from '../../hosting/templates/folder-templates.js'
import { ProjectTemplates } from '../../hosting/templates/project-templates.js'
import { Templates } from '../../hosting/templates/templates.js'
import type { Foundation } from './foundation.js'
import { gitMetrics } from './store-metrics.js'

/** Git repositories, and what is read from them. */
export interface RepositoryServices {
  repositories: Repositories
  /** Repositories of snippets, by the IDs of these. */
  snippetRepositories: Repositories
  /** Repositories of wikis, by the IDs of their projects. */
  wikiRepositories: Repositories
  /** Repositories of wikis of groups, by the IDs of these. */
  groupWikiRepositories: Repositories
  /** Templates for new files, and of `include: template`. */
  templates: Templates
  /** Fetches of repositories that are not counted in the store yet. */
  fetchCounts: FetchCounts
  /** Updates the statistics of repositories after pushes. */
  statistics: StatisticsWorker
}

export function createRepositoryServices(
  foundation: Foundation,
  open: Repositories | undefined,
): RepositoryServices {
  const { settings, database, logger, metrics } = foundation
  const slots = new GitSemaphore(settings.git, gitMetrics(metrics))
  const repositoriesIn = (folder: string) => new Repositories(join(settings.sharedDir, folder), slots)
  const repositories = open ?? repositoriesIn('repositories')
  return {
    repositories,
    snippetRepositories: repositoriesIn('snippets'),
    wikiRepositories: repositoriesIn('wikis'),
    groupWikiRepositories: repositoriesIn('group-wikis'),
    templates: createTemplates(foundation, repositories),
    fetchCounts: new FetchCounts(database, logger),
    statistics: new StatisticsWorker({ database, repositories, logger }),
  }
}

/** Templates of administrators have precedence over those of the installation. */
function createTemplates({ settings, database }: Foundation, repositories: Repositories): Templates {
  const { templatesDir } = settings
  const findProject = createProjectFinder(database)
  const project = async () => {
    const { file_template_project_id: id } = await effectiveSettings(database, 'file_template_project_id')
    return id === null ? undefined : findProject(String(id))
  }
  return new Templates([
    new ProjectTemplates({ repositories, project }),
    ...(templatesDir === undefined ? [] : [new FolderTemplates(templatesDir)]),
    INSTALLED_TEMPLATES,
  ])
}
