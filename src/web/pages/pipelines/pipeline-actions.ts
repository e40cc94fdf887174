import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'

/** Statuses of pipelines that can be canceled. */
export const CANCELABLE: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
])

type Actable = Pick<DetailedPipeline, 'id' | 'status' | 'stages'>

/** What the state of a pipeline allows: "cancel" if it is not over, "retry" if it failed or was canceled. */
export function actionOn({
  status,
  stages,
}: Pick<Actable, 'status' | 'stages'>): 'cancel' | 'retry' | undefined {
  if (CANCELABLE.has(status)) return 'cancel'
  const hasEnded = status === 'failed' || status === 'canceled'
  // Without jobs, nothing can be retried: the CI file has errors.
  return hasEnded && stages.length > 0 ? 'retry' : undefined
}

/** The IDs of chosen pipelines to which each action applies. */
export function actionsOnChosen(pipelines: readonly Actable[]): {
  retry: number[]
  cancel: number[]
  delete: number[]
} {
  const idsOf = (action: 'cancel' | 'retry') =>
    pipelines.filter((pipeline) => actionOn(pipeline) === action).map(({ id }) => id)
  return { retry: idsOf('retry'), cancel: idsOf('cancel'), delete: pipelines.map(({ id }) => id) }
}
