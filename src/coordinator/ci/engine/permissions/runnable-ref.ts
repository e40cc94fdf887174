import type { EngineDeps, ResolvedRef } from '../engine-deps.js'
import { refusalToRunOn, type RunRequest } from './refusal-to-run-on.js'
import { refusalToRun, type RunRefusal } from './refusal-to-run.js'

/** A ref on which the user may run a pipeline, or the reason why not. */
export type RunnableRef =
  | ({ kind: 'ref' } & ResolvedRef)
  | { kind: 'no-ref'; message: string }
  | ({ kind: 'not-allowed' } & RunRefusal)

/**
 * Checks whether a user may run a pipeline on a branch or tag, and resolves its current commit (CI language,
 * 9.2, rows 1 to 3). `ref` is a short name, `refs/heads/<name>` or `refs/tags/<name>`. `createPipeline`
 * repeats the permission check. `database` may be a transaction.
 */
export async function runnableRef(
  deps: Pick<EngineDeps, 'database' | 'repositories' | 'outside'>,
  request: RunRequest,
  ref: string,
): Promise<RunnableRef> {
  const accessLevel = await deps.outside.levelOf(request.user, request.project, deps.database)
  const anywhere = refusalToRun({ ...request, accessLevel, ref, protection: undefined })
  if (anywhere) return { kind: 'not-allowed', ...anywhere }
  const resolved = await deps.repositories.resolveRef(request.project.id, ref)
  if (!resolved) return { kind: 'no-ref', message: 'Reference not found' }
  const there = await refusalToRunOn(deps, request, resolved)
  return there ? { kind: 'not-allowed', ...there } : { kind: 'ref', ...resolved }
}
