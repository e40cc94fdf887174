import { CircleX, RotateCcw } from 'lucide'

import { projectApi } from '../../../addresses/first-reads.js'
import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { IconButton } from '../../kit/button.js'
import { actionOn } from './pipeline-actions.js'

interface PipelineActionProps {
  project: string
  pipeline: Pick<DetailedPipeline, 'id' | 'status' | 'stages'>
  onChanged: () => void
}

/** "Cancel" for a pipeline that is not over, "Retry" for one that failed or was canceled. */
export function PipelineAction({ project, pipeline, onChanged }: PipelineActionProps) {
  const { id } = pipeline
  const { may, reasonAgainst } = useProjectAbilities(project)
  const act = useAction(async (name: 'retry' | 'cancel') => {
    await requestJson(`${projectApi(project)}/pipelines/${id}/${name}`, { method: 'POST' })
    onChanged()
  }, notifyError)
  const name = actionOn(pipeline)
  if (name === undefined || !may('run_pipelines')) return null
  return (
    <IconButton
      icon={name === 'retry' ? RotateCcw : CircleX}
      label={`${name === 'retry' ? 'Retry' : 'Cancel'} pipeline ${id}`}
      isBusy={act.isBusy}
      reason={reasonAgainst('run_pipelines')}
      onClick={() => void act.run(name)}
    />
  )
}
