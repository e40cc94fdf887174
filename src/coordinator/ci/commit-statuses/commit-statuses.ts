import type { Project, User } from '../../access/caller.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import type { CommitStatusRow } from '../engine/commit-status-store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { resolveStoredRef } from '../engine/stored-ref.js'
import type { NewStatus } from './schema.js'
import { setCommitStatus } from './set-commit-status.js'

const MAX_TEXT = 255

/** The id of the commit; throws 404 if there is none. */
export async function commitOf(
  { repositories }: Pick<EngineDeps, 'repositories'>,
  project: Project,
  revision: string,
): Promise<string> {
  const sha = await repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw notFound('Commit')
  return sha
}

/** Sets a status of the commit `params.sha`. Throws 400 for an invalid transition, and 404 if no ref fits. */
export async function reportStatus(
  engine: EngineDeps,
  project: Project,
  user: User,
  params: NewStatus,
): Promise<CommitStatusRow> {
  const { name, context, ref, target_url: targetUrl, description } = params
  checkTexts({ name: name ?? context ?? '', target_url: targetUrl ?? '', description: description ?? '' })
  const result = await setCommitStatus(engine, {
    project,
    user,
    targetUrl,
    description,
    sha: params.sha,
    name: name ?? context ?? 'default',
    state: params.state,
    on: ref === undefined ? undefined : await resolveStoredRef(engine, project.id, ref),
    pipelineId: params.pipeline_id,
    coverage: params.coverage,
  })
  switch (result.kind) {
    case 'set':
      return result.status
    case 'no-pipeline':
      throw notFound('Pipeline')
    case 'no-ref':
      throw notFound('References for commit')
    case 'refused':
      throw apiError('commit_status_refused', { reason: result.message })
  }
}

function checkTexts({ target_url, ...texts }: Record<'name' | 'target_url' | 'description', string>): void {
  for (const [field, text] of Object.entries(texts)) {
    if (text.length > MAX_TEXT)
      throw invalidRecord({ [field]: [`is too long (maximum is ${MAX_TEXT} characters)`] })
  }
  if (target_url !== '' && !isWebAddress(target_url)) {
    throw invalidRecord({ target_url: ['is blocked: Only allowed schemes are http, https'] })
  }
}

/** The URL becomes a link on pages. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
