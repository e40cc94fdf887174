import type { ContextVariable } from '../../ci-config/context-variable.js'
import type { PipelineContext } from '../../ci-config/plan.js'
import type { EventFacts } from '../../coordinator/ci/predefined-variables/event-facts.js'
import {
  eventVariables,
  eventVariablesForJobs,
  userVariables,
} from '../../coordinator/ci/predefined-variables/event-variables.js'
import { API_VERSION, REVISION } from '../../coordinator/http/version.js'
import { ZERO_ID } from '../../git/names.js'
import { runGit } from '../../git/run-git.js'
import type { WorkingDirectory } from './working-directory.js'

/** The user's options for the event of a pipeline. */
export interface EventOptions {
  /** A branch or tag, or `refs/tags/…`. If absent, the branch that is checked out. */
  ref?: string
  /** `CI_PIPELINE_SOURCE`. */
  source: string
  /** Pipeline variables. */
  variables: ReadonlyMap<string, string>
  /** Values for the inputs of the file (CI language, 5.2). */
  inputs?: ReadonlyMap<string, string>
  /** Masked variables of the project. */
  secrets?: ReadonlyMap<string, string>
  /** Variables of the project and its groups, from the server. */
  settings?: readonly ContextVariable[]
  /** The server of the project, for components and the variables of its address. */
  serverUrl?: URL | undefined
  /** Path of the CI file. */
  configPath: string
}

/** The default address of a coordinator. Local commands do not contact it. */
export const NO_SERVER = 'http://127.0.0.1:8929'

/** Values of the variables about the event and its user. */
export interface LocalFacts extends EventFacts {
  creator: { id: number; username: string; name: string; email: string }
}

/** The event that a coordinator would see if the content of the directory were pushed now (CI language, 8.7). */
export async function localEvent(
  directory: WorkingDirectory,
  options: EventOptions,
): Promise<PipelineContext> {
  return contextOf(await localFacts(directory, options), options)
}

export async function localFacts(directory: WorkingDirectory, options: EventOptions): Promise<LocalFacts> {
  const { commit } = directory
  const { ref, refType } = await refOf(directory, options.ref)
  const externalUrl = options.serverUrl?.href.replace(/\/$/, '') ?? NO_SERVER
  return {
    server: {
      externalUrl,
      sites: { artifactsUrl: externalUrl },
      version: API_VERSION,
      revision: REVISION,
    },
    project: projectOf(directory, options.configPath),
    ref,
    refType,
    sha: commit.id,
    beforeSha: commit.parentIds[0] ?? ZERO_ID,
    source: options.source,
    isProtected: refType === 'branch' && ref === directory.defaultBranch,
    commit,
    creator: { id: 1, username: 'local', name: commit.authorName, email: commit.authorEmail },
  }
}

/** The context for compiling a CI file. */
export function contextOf(facts: LocalFacts, options: EventOptions): PipelineContext {
  const { ref, refType, source, sha } = facts
  const projectPath = facts.project.full_path
  return {
    ref,
    refType,
    source,
    projectPath,
    variables: {
      predefined: eventVariables(facts),
      predefinedForJobs: eventVariablesForJobs(facts),
      user: userVariables(facts.creator),
      settings: settingsOf(options),
      pipeline: [...options.variables].map(([key, value]) => ({ key, value })),
    },
    ...(options.inputs?.size && { inputs: Object.fromEntries(options.inputs) }),
    origin: { file: options.configPath, commit: { projectPath, sha } },
  }
}

/** Lowest precedence first: what the user names wins over what the server has. */
export function settingsOf({
  settings = [],
  secrets = new Map(),
}: Pick<EventOptions, 'settings' | 'secrets'>): ContextVariable[] {
  return [...settings, ...[...secrets].map(([key, value]) => ({ key, value, masked: true }))]
}

function projectOf({ projectPath, defaultBranch }: WorkingDirectory, configPath: string) {
  const path = projectPath.split('/').at(-1) ?? projectPath
  return {
    id: 1,
    namespace_id: 1,
    path,
    name: path,
    full_path: projectPath,
    description: null,
    visibility: 'private' as const,
    default_branch: defaultBranch ?? null,
    ci_config_path: configPath,
  }
}

/** A name that exists only as a tag is that tag. A branch need not exist yet. */
async function refOf(
  { root, branch, commit, isRepository }: WorkingDirectory,
  wanted: string | undefined,
): Promise<{ ref: string; refType: 'branch' | 'tag' }> {
  if (wanted === undefined) return { ref: branch ?? (isRepository ? commit.id : 'main'), refType: 'branch' }
  if (wanted.startsWith('refs/tags/')) return { ref: wanted.slice('refs/tags/'.length), refType: 'tag' }
  if (wanted.startsWith('refs/heads/')) return { ref: wanted.slice('refs/heads/'.length), refType: 'branch' }
  if (!isRepository) return { ref: wanted, refType: 'branch' }
  const format = ['for-each-ref', '--format=%(refname)', `refs/heads/${wanted}`, `refs/tags/${wanted}`]
  const found = (await runGit(format, { cwd: root })).split('\n')
  const isTag = found.includes(`refs/tags/${wanted}`) && !found.includes(`refs/heads/${wanted}`)
  return { ref: wanted, refType: isTag ? 'tag' : 'branch' }
}
