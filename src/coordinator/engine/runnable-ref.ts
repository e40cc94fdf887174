import type { EngineDeps, ResolvedRef } from './engine-deps.js'
import { mayRunOnRef } from './may-run-on-ref.js'

/** A branch or tag on which somebody may run a pipeline, or the sentence that says why not. */
export type RunnableRef =
  | ({ kind: 'ref' } & ResolvedRef)
  | { kind: 'no-ref'; message: string }
  | { kind: 'not-allowed'; message: string }

const DEVELOPER = 30

/**
 * Whether somebody with this level in the project may run a pipeline on a branch or tag, and which commit that is now
 * (CI language, 9.2 rows 2 and 3). `ref` is a short name, `refs/heads/<name>` or `refs/tags/<name>`.
 */
export async function runnableRef(
  { database, repositories }: Pick<EngineDeps, 'database' | 'repositories'>,
  projectId: number,
  ref: string,
  accessLevel: number,
): Promise<RunnableRef> {
  if (accessLevel < DEVELOPER) return notAllowed('Insufficient permissions to create a new pipeline')
  const resolved = await resolve(repositories, projectId, ref)
  if (typeof resolved === 'string') return { kind: 'no-ref', message: resolved }
  if (await mayRunOnRef(database, projectId, resolved.type, resolved.ref, accessLevel)) {
    return { kind: 'ref', ...resolved }
  }
  return notAllowed(
    `You do not have sufficient permission to run a pipeline on '${resolved.ref}'. Please select a different branch or contact your administrator for assistance.`,
  )
}

/** A sentence when it is not one branch or tag. */
async function resolve(
  repositories: EngineDeps['repositories'],
  projectId: number,
  ref: string,
): Promise<ResolvedRef | string> {
  try {
    return (await repositories.resolveRef(projectId, ref)) ?? 'Reference not found'
  } catch (error) {
    if (isAmbiguousRef(error)) return error.message
    throw error
  }
}

/** The error's class lives in the room of the repositories, above this one. */
function isAmbiguousRef(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'REF_AMBIGUOUS'
}

function notAllowed(message: string): RunnableRef {
  return { kind: 'not-allowed', message }
}
