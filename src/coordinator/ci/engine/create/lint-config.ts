import {
  type CheckedResult,
  inspect,
  inspectFile,
  type Inspection,
  invalidResult,
} from '../../../../ci-config/compile.js'
import { ConfigError, invalid } from '../../../../ci-config/errors.js'
import {
  DEFAULT_CONFIG_PATH,
  findConfig,
  type FoundConfig,
} from '../../../../ci-config/include/find-config.js'
import type { CompileResult, PipelineContext } from '../../../../ci-config/plan.js'
import type { ConfigSources } from '../../../../ci-config/sources.js'
import { ZERO_ID } from '../../../../git/names.js'
import type { UserRow } from '../../../database/tables/pipeline-rows.js'
import { isDeployFreeze } from '../../predefined-variables/deploy-freeze.js'
import {
  projectVariables,
  serverVariables,
  userVariables,
} from '../../predefined-variables/event-variables.js'
import { settingsVariables } from '../../predefined-variables/settings-variables.js'
import type { EngineDeps } from '../engine-deps.js'
import { configSources, sourcesOfUser } from './config-sources.js'
import { Explanation } from './explanation.js'
import { pipelineContext } from './pipeline-context.js'
import type { PipelineRequest } from './pipeline-request.js'

export interface LintRequest extends Pick<
  PipelineRequest,
  | 'project'
  | 'user'
  | 'ref'
  | 'refType'
  | 'sha'
  | 'beforeSha'
  | 'source'
  | 'mergeRequest'
  | 'inputs'
  | 'variables'
> {
  /** The text to check; absent = the committed file. */
  content?: string
  /** Whether to evaluate the rules and list the jobs of the event. */
  dryRun: boolean
  /** Whether a dry run explains its decisions. */
  explains?: boolean
  /** Whether variables for protected refs are visible. */
  isProtected: boolean
}

export interface LintInspection extends Inspection<CompileResult | CheckedResult> {
  explanation?: Explanation
}

type LintDeps = Pick<EngineDeps, 'database' | 'secrets' | 'repositories' | 'server' | 'outside'>

/**
 * Validates a CI file with the full context of a pipeline for the commit. Stores nothing (CI language, 9.2).
 */
export async function lintConfig(deps: LintDeps, request: LintRequest): Promise<LintInspection> {
  const sources = configSources(deps, request)
  const isFrozen = await isDeployFreeze(deps.database, request.project.id, Date.now())
  const event = { ...request, isDeployFreeze: isFrozen }
  const context = await pipelineContext(deps, event, request.isProtected)
  try {
    const { text, origin } = await findText(request, sources, context)
    if (!request.dryRun) return await inspectFile(text, sources, { ...context, origin })
    if (!request.explains) return await inspect(text, sources, { ...context, origin })
    const explanation = new Explanation(context)
    return { ...(await inspect(text, sources, { ...context, origin }, explanation)), explanation }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { included: [], result: invalidResult(error.problems) }
  }
}

/**
 * Validates a text for a project without commits, which has no local files to include. A dry run is invalid,
 * because there is no branch or tag for it.
 */
export async function lintWithoutCommit(
  deps: LintDeps,
  { project, user, content, dryRun }: Pick<LintRequest, 'project' | 'user' | 'dryRun'> & { content: string },
): Promise<LintInspection> {
  if (dryRun) return { included: [], result: invalidResult(invalid('Reference not found').problems) }
  const commit = { projectPath: project.full_path, sha: ZERO_ID }
  return inspectFile(content, sourcesOfUser(deps, user, project), {
    ref: '',
    refType: 'branch',
    source: 'push',
    projectPath: project.full_path,
    origin: { file: DEFAULT_CONFIG_PATH, commit },
    variables: {
      predefined: [...serverVariables(deps), ...projectVariables({ ...deps, project })],
      user: userVariables(user),
      settings: await settingsVariables(deps, project, false),
      pipeline: [],
    },
  })
}

/**
 * Validates a text without a project, for a user who may include files of readable projects. There is no
 * event.
 */
export function lintText(
  deps: Pick<LintDeps, 'repositories' | 'server' | 'outside'>,
  user: UserRow,
  text: string,
): Promise<LintInspection> {
  return inspectFile(text, sourcesOfUser(deps, user, undefined), {
    ref: '',
    refType: 'branch',
    source: 'api',
    projectPath: '',
    variables: {
      predefined: serverVariables(deps),
      user: userVariables(user),
      settings: [],
      pipeline: [],
    },
  })
}

async function findText(
  { content, project, sha }: LintRequest,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<FoundConfig> {
  const commit = { projectPath: project.full_path, sha }
  if (content !== undefined) return { text: content, origin: { file: DEFAULT_CONFIG_PATH, commit } }
  const found = await findConfig(project.ci_config_path, commit, sources, context)
  if (!found) throw invalid('Please provide content of .gitlab-ci.yml')
  return found
}
