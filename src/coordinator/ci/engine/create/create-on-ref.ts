import { ZERO_ID } from '../../../../git/names.js'
import type { EngineDeps } from '../engine-deps.js'
import { runnableRef } from '../permissions/runnable-ref.js'
import { createPipeline } from './create-pipeline.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'

/** A requested pipeline for the current head of a branch or tag. */
export interface PipelineOnRef extends Omit<PipelineRequest, 'ref' | 'refType' | 'sha' | 'beforeSha'> {
  /** A short name, `refs/heads/<name>` or `refs/tags/<name>`. */
  ref: string
}

/** Creates a pipeline for the head of a branch or tag, after all checks (CI language, 9.2). */
export async function createPipelineOnRef(
  deps: EngineDeps,
  { ref, ...wanted }: PipelineOnRef,
): Promise<PipelineCreation> {
  const { source: by, project, user } = wanted
  const on = await runnableRef(deps, { by, project, user }, ref)
  switch (on.kind) {
    case 'ref':
      return createPipeline(deps, {
        ...wanted,
        ref: on.ref,
        refType: on.type,
        sha: on.sha,
        beforeSha: ZERO_ID,
      })
    case 'no-ref':
      return { kind: 'refused', reason: 'no-ref', message: on.message }
    case 'not-allowed':
      return { kind: 'refused', reason: on.reason, message: on.message }
  }
}
