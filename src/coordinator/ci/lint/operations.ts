import type { Caller, Project, User } from '../../access/caller.js'
import { maySetVariables } from '../../access/may-set-variables.js'
import { isWithinLimit } from '../../access/project-limit.js'
import { apiError } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { readPipelineInputs } from '../../http/parameters/pipeline-inputs.js'
import { signedIn } from '../../http/viewer.js'
import { lintText } from '../engine/create/lint-config.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { OutsideSources } from '../engine/outside-sources.js'
import { lintForProject, type Wanted } from './lint.js'
import { presentKeywords } from './present-keywords.js'
import { presentPreview } from './present-preview.js'
import { presentLint, presentText } from './present.js'
import { PipelinePreview, PreviewPipeline } from './preview-schema.js'
import {
  CiKeywords,
  LintCommitted,
  type LintReport,
  LintText,
  LintTextAlone,
  LintReport as Report,
  TextReport,
} from './schema.js'

/** Validates a CI file without creating a pipeline (API, I5). */
export function ciLintOperations({ engine }: { engine: EngineDeps }): Operation[] {
  return [
    operation('GET /ci/keywords', {
      summary: 'List the keywords of CI files',
      access: 'anyone',
      responses: { 200: CiKeywords },
      cacheable: true,
      run: async () => presentKeywords(),
    }),
    operation('POST /ci/lint', {
      changesNothing: true,
      summary: 'Validate a CI configuration without a project',
      access: 'user',
      params: LintTextAlone,
      responses: { 200: TextReport },
      run: async ({ user, params }) => {
        const { content, include_merged_yaml = false, include_jobs = false } = params
        return presentText(await lintText(engine, user, content), { include_merged_yaml, include_jobs })
      },
    }),
    operation('POST /projects/:id/ci/lint', {
      changesNothing: true,
      summary: 'Validate a CI configuration in the context of a project',
      access: 'lint_pipelines',
      scopes: ['mcp'],
      params: LintText,
      responses: { 200: Report },
      run: async (call) => {
        const { content, dry_run: dryRun = false, include_jobs = false, ref, source, explain } = call.params
        const wanted = { content, dryRun, ref, source, explains: explain ?? false }
        return report(engine, call, wanted, include_jobs)
      },
    }),
    operation('GET /projects/:id/ci/lint', {
      summary: 'Validate the CI configuration of a commit',
      access: 'read_code',
      params: LintCommitted,
      responses: { 200: Report },
      run: async (call) => {
        const {
          dry_run: dryRun = false,
          include_jobs = false,
          ref,
          dry_run_ref,
          sha,
          content_ref,
          source,
          explain: explains = false,
        } = call.params
        const wanted = {
          dryRun,
          ref: dry_run_ref ?? ref,
          revision: content_ref ?? sha,
          source,
          explains,
        }
        return report(engine, call, wanted, include_jobs)
      },
    }),
    operation('POST /projects/:id/pipeline/preview', {
      changesNothing: true,
      summary: 'Preview a pipeline without creating it',
      access: 'run_pipelines',
      params: PreviewPipeline,
      responses: { 200: PipelinePreview },
      run: async ({ project, user, accessLevel, params }) => {
        const { ref, source = 'web', inputs, variables = [] } = params
        const maySet = maySetVariables(project, accessLevel)
        // The owner of a schedule has set its variables before.
        if (variables.length > 0 && source !== 'schedule' && !maySet)
          throw apiError('pipeline_variables_forbidden')
        const inspection = await lintForProject(
          engine,
          project,
          { user: signedIn(user), accessLevel },
          {
            dryRun: true,
            ref,
            source,
            inputs: readPipelineInputs(inputs),
            variables: variables.map(({ key, value, variable_type = 'env_var' }) => ({
              key,
              value,
              variable_type,
            })),
          },
        )
        return presentPreview(inspection, maySet)
      },
    }),
  ]
}

interface LintCall {
  project: Project
  caller: Caller
  user: User | undefined
  accessLevel: number
}

/** The report shows what is in included files, so only those of projects that the credential reaches are found. */
function withinReach(outside: OutsideSources, caller: Caller): OutsideSources {
  return {
    ...outside,
    readableProject: async (user, path) => {
      const project = await outside.readableProject(user, path)
      return project && isWithinLimit(caller, project) ? project : undefined
    },
  }
}

async function report(
  engine: EngineDeps,
  { project, caller, user, accessLevel }: LintCall,
  wanted: Wanted,
  includeJobs: boolean,
): Promise<LintReport> {
  // The files that may be included from other projects depend on the caller.
  const reading = { ...engine, outside: withinReach(engine.outside, caller) }
  const inspection = await lintForProject(reading, project, { user: signedIn(user), accessLevel }, wanted)
  return presentLint(inspection, { externalUrl: engine.server.externalUrl, includeJobs })
}
