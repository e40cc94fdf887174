import type {
  ComponentProblem,
  ConfigSources,
  ProjectCommit,
  RemoteText,
} from '../../../src/ci-config/sources.js'

export const SHA = 'a'.repeat(40)

/** Everything outside the compiled file. */
export interface Surroundings {
  /** Project paths to their files; each project has the one commit `SHA`. */
  projects?: Record<string, Record<string, string>>
  /** Branches and tags of every project, in addition to `main`. */
  refs?: readonly string[]
  changed?: readonly string[]
  /** Refs to the paths changed since. */
  changedSince?: Record<string, readonly string[]>
  remote?: Record<string, string | RemoteText>
  templates?: Record<string, string>
  /** Maps `project@version` to the resolved version of a component, where it is not the single commit. */
  versions?: Record<string, ComponentProblem>
  /** `job:path` to the content of the artifact. */
  artifacts?: Record<string, string>
}

/** Serves the given sources; everything else is missing. */
export function projectSources(around: Surroundings = {}): ConfigSources {
  const files = (path: string) => around.projects?.[path]
  const commitOf = (projectPath: string): ProjectCommit => ({ projectPath, sha: SHA })
  const isRef = (ref: string) => ['main', 'HEAD', SHA, ...(around.refs ?? [])].includes(ref)
  return {
    readFile: async ({ projectPath }, path) => files(projectPath)?.[path],
    listFiles: async ({ projectPath }) => Object.keys(files(projectPath) ?? {}),
    findProject: async (path, ref) =>
      !files(path) ? 'not-found' : ref === undefined || isRef(ref) ? commitOf(path) : 'no-such-ref',
    changedFiles: async () => around.changed,
    changedFilesSince: async (ref) => around.changedSince?.[ref],
    fetchRemote: async (url) => remoteText(around.remote?.[url]),
    readTemplate: async (name) => around.templates?.[name],
    findComponentVersion: async (path, version) =>
      !files(path) ? 'not-found' : (around.versions?.[`${path}@${version}`] ?? commitOf(path)),
    readArtifact: async (job, path) => around.artifacts?.[`${job}:${path}`],
  }
}

function remoteText(known: string | RemoteText | undefined): RemoteText {
  if (known === undefined)
    return { kind: 'failed', reason: 'after 1 attempt because of HTTP code `404` error' }
  return typeof known === 'string' ? { kind: 'text', text: Buffer.from(known) } : known
}
