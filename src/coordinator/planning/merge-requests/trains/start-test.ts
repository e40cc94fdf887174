import { SwitchyardError } from '../../../../lib/errors.js'
import { createPipelineForTrain } from '../../../ci/engine/create/create-for-merge-train.js'
import type { Giver } from '../../../intentions/giver.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { lockTestWithoutPipeline, type TestWithStatus, updateTest } from '../../stores/merge-train-store.js'
import type { TrainDeps } from './train-deps.js'

/** A pipeline that cannot be created at this moment. */
class PipelineNotCreatedError extends SwitchyardError {
  readonly name = 'PipelineNotCreatedError'
  readonly code = 'PIPELINE_NOT_CREATED'
}

/**
 * Creates the pipeline of a test that has none, for the user who has added its last car. A refusal counts as a failed
 * pipeline. Throws if it may be created later, because the project has reached its limit of pipelines per minute.
 */
export async function startTest(
  { engine, pushes }: TrainDeps,
  test: TestWithStatus,
  { user, project }: Giver,
  row: MergeRequestRow,
): Promise<void> {
  const creation = await createPipelineForTrain(engine, {
    mergeRequest: row,
    project,
    user,
    sha: test.commit_sha,
    isWanted: (tx) => lockTestWithoutPipeline(tx, test.id),
    onStored: (tx, { id }) => updateTest(tx, test.id, { pipeline_id: id }),
  })
  if (creation.kind === 'created' || creation.reason === 'duplicate') return
  if (creation.reason === 'rate') throw new PipelineNotCreatedError(creation.message)
  await updateTest(pushes.database, test.id, { refusal: creation.message })
}
