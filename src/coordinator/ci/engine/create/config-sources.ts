import { invalid } from '../../../../ci-config/errors.js'
import type { ComponentProblem, ConfigSources, ProjectCommit } from '../../../../ci-config/sources.js'
import { ObjectTooLargeError } from '../../../../git/errors.js'
import { isObjectId, ZERO_ID } from '../../../../git/names.js'
import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../engine-deps.js'
import { findVersion } from '../merge-request-store.js'
import { isVersionRange, newestTag } from './component-version.js'
import type { PipelineRequest } from './pipeline-request.js'

type Deps = Pick<EngineDeps, 'repositories' | 'outside'>
type EventDeps = Pick<EngineDeps, 'database' | 'repositories'>

/**
 * Sources for a CI file: repositories that the user may read, and the network. Each lookup is cached for one
 * compilation.
 */
export function configSources(
  { database, repositories, outside }: Deps & EventDeps,
  request: PipelineRequest,
): ConfigSources {
  return {
    ...sourcesOfUser({ repositories, outside }, request.user, request.project),
    changedFiles: remembered(() => changedByEvent({ database, repositories }, request)),
    changedFilesSince: remembered((ref: string) => changedSince({ repositories }, request, ref)),
    readArtifact: remembered(request.readArtifact ?? (() => Promise.resolve(undefined))),
  }
}

/** Like `configSources`, for a text without an event and possibly without a project. */
export function sourcesOfUser(
  { repositories, outside }: Deps,
  user: UserRow,
  own: ProjectRow | undefined,
): ConfigSources {
  const projects = new ReadableProjects({ repositories, outside }, user, own)
  return {
    readFile: remembered((commit: ProjectCommit, path: string) => projects.readFile(commit, path)),
    listFiles: remembered((commit: ProjectCommit) => projects.listFiles(commit)),
    findProject: remembered((path: string, ref: string | undefined) => projects.findCommit(path, ref)),
    changedFiles: () => Promise.resolve(undefined),
    changedFilesSince: () => Promise.resolve(undefined),
    fetchRemote: remembered((url: string, maxAge?: number) => outside.fetchRemote(url, maxAge)),
    readTemplate: (name) => outside.readTemplate(name),
    ...(outside.listTemplates && { listTemplates: outside.listTemplates }),
    ...(outside.maxIncludes && { maxIncludes: outside.maxIncludes }),
    findComponentVersion: remembered((path: string, version: string) =>
      projects.findComponentVersion(path, version),
    ),
    readArtifact: () => Promise.resolve(undefined),
  }
}

/** Projects that were found for the user. Every commit in a lookup belongs to one of them. */
class ReadableProjects {
  private readonly found = new Map<string, ProjectRow>()

  constructor(
    private readonly deps: Deps,
    private readonly user: UserRow,
    own: ProjectRow | undefined,
  ) {
    if (own) this.found.set(own.full_path, own)
  }

  async findCommit(
    path: string,
    ref: string | undefined,
  ): Promise<ProjectCommit | 'not-found' | 'no-such-ref'> {
    const project = await this.find(path)
    if (!project) return 'not-found'
    const sha = await this.deps.repositories.resolveCommit(project.id, ref ?? 'HEAD')
    return sha === undefined ? 'no-such-ref' : { projectPath: project.full_path, sha }
  }

  /** There is no catalog, so version tags count as published versions (CI language, 4.5). */
  async findComponentVersion(path: string, version: string): Promise<ProjectCommit | ComponentProblem> {
    const project = await this.find(path)
    if (!project) return 'not-found'
    const exact = isVersionRange(version) ? await this.newestVersion(project, version) : version
    if (exact === undefined) return 'not-in-catalog'
    const sha = await this.commitOfVersion(project, exact)
    return sha === undefined ? 'no-such-version' : { projectPath: project.full_path, sha }
  }

  private async newestVersion({ id }: ProjectRow, range: string): Promise<string | undefined> {
    return newestTag(await this.deps.repositories.listTags(id), range)
  }

  /**
   * A version is a tag, so that a branch with its name cannot replace it. The default branch takes precedence
   * over a tag with its name, because a user who may create tags must not replace it.
   */
  private async commitOfVersion(
    { id, default_branch }: ProjectRow,
    version: string,
  ): Promise<string | undefined> {
    const { repositories } = this.deps
    const isTagFirst = !isObjectId(version) && version !== default_branch
    const tagged = isTagFirst ? await repositories.resolveCommit(id, `refs/tags/${version}`) : undefined
    return tagged ?? repositories.resolveCommit(id, version)
  }

  /** A file that is too large to be read is a wrong file, not a failure of the coordinator (CI language, 1.2). */
  async readFile({ projectPath, sha }: ProjectCommit, path: string): Promise<string | undefined> {
    const project = this.found.get(projectPath)
    try {
      return project && (await this.deps.repositories.readFile(project.id, sha, path))
    } catch (error) {
      if (error instanceof ObjectTooLargeError) throw invalid('The provided YAML is too big')
      throw error
    }
  }

  async listFiles({ projectPath, sha }: ProjectCommit): Promise<readonly string[]> {
    const project = this.found.get(projectPath)
    return project ? this.deps.repositories.listFiles(project.id, sha) : []
  }

  private async find(path: string): Promise<ProjectRow | undefined> {
    const project = await this.deps.outside.readableProject(this.user, path)
    if (project) this.found.set(project.full_path, project)
    return project
  }
}

/**
 * Only a merge request and a push to an existing branch have a list of changed files; their child pipelines have
 * the same list (CI language, 7.4).
 */
async function changedByEvent(
  { database, repositories }: EventDeps,
  { project, source, refType, beforeSha, sha, mergeRequest }: PipelineRequest,
): Promise<readonly string[] | undefined> {
  if (mergeRequest) {
    const version = await findVersion(database, mergeRequest.id, sha)
    return version && repositories.changedFiles(project.id, version.base_sha, sha)
  }
  const isOfPush = source === 'push' || source === 'parent_pipeline'
  if (!isOfPush || refType !== 'branch' || beforeSha === ZERO_ID) return undefined
  return repositories.changedFiles(project.id, beforeSha, sha)
}

async function changedSince(
  { repositories }: Pick<Deps, 'repositories'>,
  { project, sha }: PipelineRequest,
  ref: string,
): Promise<readonly string[] | undefined> {
  const commit = await repositories.resolveCommit(project.id, ref)
  const base = commit === undefined ? undefined : await repositories.mergeBase(project.id, commit, sha)
  return base === undefined ? undefined : repositories.changedFiles(project.id, base, sha)
}

/** Caches the result for each combination of arguments. */
function remembered<A extends unknown[], T>(ask: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const responses = new Map<string, Promise<T>>()
  return (...args) => {
    const key = JSON.stringify(args)
    const response = responses.get(key) ?? ask(...args)
    responses.set(key, response)
    return response
  }
}
