import { CirclePlay, CircleX, Pencil, RotateCcw, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { GraphJob, PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import { useKeys } from '../../kit/keys.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { useNarrow } from '../../kit/use-narrow.js'
import { DeletePipelineDialog } from './delete-pipeline-dialog.js'
import { CANCELABLE } from './pipeline-actions.js'
import { type ManualStage, PlayStageDialog } from './play-stage-dialog.js'
import { RenameDialog } from './rename-dialog.js'
import type { ShownPipeline } from './use-pipeline.js'

/** The buttons and the menu beside the title of a pipeline. */
export function HeaderActions({ project, pipeline, graph, path }: ShownPipeline & { path: string }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [dialog, setDialog] = useState<'delete' | 'rename' | ManualStage>()
  const act = useAction(async (action: 'retry' | 'cancel', body?: object) => {
    await requestJson(`${path}/${action}`, { method: 'POST', ...(body && { body }) })
    await refresh(path)
  }, notifyError)
  const canRetry = graph.jobs.some(needsRetry)
  const canCancel =
    CANCELABLE.has(pipeline.status) || graph.jobs.some(({ actions }) => actions.includes('cancel'))
  const menuCancels = useNarrow(700) && canRetry && canCancel
  const mayRun = may('run_pipelines')
  const retry = () => void act.run('retry')
  const cancel = () => void act.run('cancel')
  useKeys({ ...(mayRun && canRetry && { r: retry }), ...(mayRun && canCancel && { c: cancel }) })
  if (!mayRun && !may('delete_pipelines')) return null
  const reason = reasonAgainst('run_pipelines')
  const close = () => setDialog(undefined)
  return (
    <>
      {mayRun && canRetry && (
        <Button icon={RotateCcw} isBusy={act.isBusy} reason={reason} onClick={retry}>
          Retry
        </Button>
      )}
      {mayRun && canCancel && !menuCancels && (
        <Button icon={CircleX} isBusy={act.isBusy} reason={reason} onClick={cancel}>
          Cancel
        </Button>
      )}
      <Menu name="More actions">
        {mayRun && (
          <>
            {menuCancels && (
              <MenuItem icon={CircleX} isChange reason={reason} onSelect={cancel}>
                Cancel
              </MenuItem>
            )}
            {failedStages(graph).map((name) => (
              <MenuItem
                key={name}
                icon={RotateCcw}
                reason={reason}
                isChange
                onSelect={() => void act.run('retry', { from_stage: name })}
              >
                Retry from stage {name}
              </MenuItem>
            ))}
            {manualStages(graph).map((stage) => (
              <MenuItem key={stage.name} icon={CirclePlay} reason={reason} onSelect={() => setDialog(stage)}>
                Run all manual jobs of stage {stage.name}
              </MenuItem>
            ))}
            <MenuItem icon={Pencil} reason={reason} onSelect={() => setDialog('rename')}>
              Rename pipeline
            </MenuItem>
          </>
        )}
        {may('delete_pipelines') && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous onSelect={() => setDialog('delete')}>
              Delete pipeline
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'rename' && <RenameDialog path={path} name={pipeline.name ?? ''} onClose={close} />}
      {dialog === 'delete' && (
        <DeletePipelineDialog project={project} id={pipeline.id} path={path} onClose={close} />
      )}
      {typeof dialog === 'object' && <PlayStageDialog path={path} stage={dialog} onClose={close} />}
    </>
  )
}

function failedStages({ stages, jobs }: PipelineGraph): string[] {
  return stages
    .map(({ name }) => name)
    .filter((name) => jobs.some((job) => job.stage === name && needsRetry(job)))
}

function manualStages({ stages, jobs: all }: PipelineGraph): ManualStage[] {
  return stages.flatMap(({ name }) => {
    const jobs = all.filter(
      ({ stage, status, actions }) => stage === name && status === 'manual' && actions.includes('play'),
    )
    return jobs.length > 0 ? [{ name, jobs }] : []
  })
}

function needsRetry({ status, actions }: GraphJob): boolean {
  return (status === 'failed' || status === 'canceled') && actions.includes('retry')
}
