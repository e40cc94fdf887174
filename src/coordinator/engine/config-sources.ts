import { invalid } from '../../ci-config/errors.js'
import type { CompileSources, ProjectCommit } from '../../ci-config/sources.js'
import { ObjectTooLargeError } from '../../git/errors.js'
import { ZERO_ID } from '../../git/names.js'
import type { EngineRepositories } from './engine-deps.js'
import type { PipelineRequest } from './pipeline-request.js'

/** What a CI file may ask for, answered from the repository; each question is put to git once per compilation. */
export function configSources(repositories: EngineRepositories, request: PipelineRequest): CompileSources {
  const { project, sha } = request
  const filesOf = remembered((commit: string) => repositories.listFiles(project.id, commit))
  const since = remembered((ref: string) => changedSince(repositories, request, ref))
  const pushed = remembered(() => changedByPush(repositories, request))
  return {
    readFile: (commit: ProjectCommit, path) => readFile(repositories, project.id, commit.sha, path),
    listFiles: (commit) => filesOf(commit.sha),
    changedFiles: () => pushed(sha),
    changedFilesSince: since,
  }
}

/** A file that is too large to be read is a wrong file, not a failure of the coordinator (CI language, 1.2). */
async function readFile(
  repositories: EngineRepositories,
  projectId: number,
  sha: string,
  path: string,
): Promise<string | undefined> {
  try {
    return await repositories.readFile(projectId, sha, path)
  } catch (error) {
    if (error instanceof ObjectTooLargeError) throw invalid('The provided YAML is too big')
    throw error
  }
}

/** Only a push to a branch that was there before has a list (CI language, 7.4). */
async function changedByPush(
  repositories: EngineRepositories,
  { project, source, refType, beforeSha, sha }: PipelineRequest,
): Promise<readonly string[] | undefined> {
  if (source !== 'push' || refType !== 'branch' || beforeSha === ZERO_ID) return undefined
  return repositories.changedFiles(project.id, beforeSha, sha)
}

async function changedSince(
  repositories: EngineRepositories,
  { project, sha }: PipelineRequest,
  ref: string,
): Promise<readonly string[] | undefined> {
  const commit = await repositories.resolveCommit(project.id, ref)
  const base = commit === undefined ? undefined : await repositories.mergeBase(project.id, commit, sha)
  return base === undefined ? undefined : repositories.changedFiles(project.id, base, sha)
}

/** Asks once for each key. */
function remembered<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (key) => {
    const answer = answers.get(key) ?? ask(key)
    answers.set(key, answer)
    return answer
  }
}
