import { Check, CircleCheck, CircleX, Clock, GitMerge, ThumbsUp } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'
import type { FullProject } from '../../../coordinator/hosting/projects/record/schema.js'
import type { ApprovalState } from '../../../coordinator/planning/merge-requests/approvals/rule-schema.js'
import type { Approvals } from '../../../coordinator/planning/merge-requests/approvals/schema.js'
import type { CheckOfMergeRequest } from '../../../coordinator/planning/merge-requests/status-checks/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson, request as send } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead, useRefetchOn } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { StatusBadge } from '../../kit/status.js'
import { Duration, Time } from '../../kit/time.js'
import { useLive } from '../../live/use-live.js'
import { ExposedLinks } from '../../records/exposed-links.js'
import { StageMarks } from '../../records/stage-marks.js'
import { UserLink } from '../../records/user-link.js'
import { AfterMerge } from './after-merge.js'
import { Conflicts } from './conflicts.js'
import styles from './merge-box.module.css'
import { type MergeCheck, mergeChecks, type MergeDemands } from './merge-checks.js'
import { MergeForm } from './merge-form.js'
import { mergeRequestPath } from './merge-request-path.js'
import type { ShownMergeRequest } from './shown-merge-request.js'
import { TrainLine } from './train-line.js'

type HeadPipeline = NonNullable<ShownMergeRequest['request']['head_pipeline']>

/** What a merge request waits for, and what merges it; once it is over, how it ended. */
export function MergeBox(shown: ShownMergeRequest) {
  const { request } = shown
  return (
    <Panel isFlush class={styles['box']}>
      <PipelineLine {...shown} />
      {request.state === 'merged' ? (
        <Merged {...shown} />
      ) : request.state === 'closed' ? (
        <p class={styles['line']}>
          Closed by <UserLink user={request.closed_by} /> <Time value={request.closed_at} />
        </p>
      ) : (
        <OpenBox {...shown} />
      )}
    </Panel>
  )
}

/** The latest pipeline of the head, with its stages. */
function PipelineLine({
  project,
  request: { head_pipeline: pipeline, source_project_id, target_project_id },
}: ShownMergeRequest) {
  if (!pipeline) return null
  const id = String(pipeline.id)
  const isHere = pipeline.project_id === target_project_id
  return (
    <div class={classNames(styles['line'], styles['pipeline'])}>
      {isHere ? (
        <a href={addressOf('pipelines/pipeline', { project, id })}>
          <StatusBadge status={pipeline.status} />
        </a>
      ) : (
        <StatusBadge status={pipeline.status} />
      )}
      <span>
        {isHere ? (
          <a href={addressOf('pipelines/pipeline', { project, id })}>Pipeline #{id}</a>
        ) : (
          `Pipeline #${id}`
        )}{' '}
        {source_project_id !== target_project_id &&
          pipeline.project_id === source_project_id &&
          'of the fork'}
      </span>
      {pipeline.started_at && (
        <Duration seconds={pipeline.duration} from={pipeline.started_at} to={pipeline.finished_at} />
      )}
      {isHere && <Stages project={project} pipeline={pipeline} />}
      {isHere && (
        <ExposedLinks
          project={project}
          pipelineId={pipeline.id}
          version={`${pipeline.status} ${pipeline.updated_at}`}
        />
      )}
    </div>
  )
}

/** Read again with each status of the pipeline. */
function Stages({ project, pipeline }: { project: string; pipeline: HeadPipeline }) {
  const query = queryOf({ sha: pipeline.sha, with_details: true, per_page: 100 })
  const list = useRead<DetailedPipeline[]>(`${projectApi(project)}/pipelines${query}`)
  useRefetchOn(`${pipeline.id} ${pipeline.updated_at} ${pipeline.status}`, list)
  const found = list.data?.find(({ id }) => id === pipeline.id)
  return found ? <StageMarks stages={found.stages} /> : null
}

function Merged({ project, request }: ShownMergeRequest) {
  const { merge_user: user, merged_at: at, merge_commit_sha: merge, squash_commit_sha: squash, sha } = request
  const commit = merge ?? squash ?? sha
  return (
    <div class={styles['line']}>
      <Icon icon={GitMerge} size={18} />
      <span>
        Merged by <UserLink user={user} /> <Time value={at} />
        {commit !== null && (
          <>
            {' as '}
            <a class={styles['sha']} href={addressOf('code/commit', { project, sha: commit })}>
              {commit.slice(0, 8)}
            </a>
          </>
        )}
        .
      </span>
      {commit !== null && <AfterMerge project={project} request={request} commit={commit} />}
    </div>
  )
}

function OpenBox(shown: ShownMergeRequest) {
  const { project, request } = shown
  const path = `${mergeRequestPath(project, request.iid)}/approvals`
  // A push may have removed approvals.
  const approvals = useRead<Approvals>(`${path}?sha=${request.sha ?? ''}`, { keepsPrevious: true })
  // Others approve, and other systems answer.
  const readAgain = () => {
    const base = mergeRequestPath(project, request.iid)
    void refresh(...['approvals', 'approval_state', 'status_checks'].map((part) => `${base}/${part}`))
  }
  const onChange = ({ id }: { id: number }) => {
    if (id === request.id) readAgain()
  }
  useLive([`merge-request/${request.id}`], { 'merge-request': onChange }, readAgain)
  const { may } = useProjectAbilities(project)
  const settings = useRead<FullProject>(projectApi(project)).data
  const demands = demandsOf(settings)
  const rules = useRead<ApprovalState>(
    approvals.data?.has_approval_rules || approvals.data?.approvals_required
      ? `${mergeRequestPath(project, request.iid)}/approval_state?sha=${request.sha ?? ''}`
      : undefined,
    { keepsPrevious: true },
  )
  const statuses = useRead<CheckOfMergeRequest[]>(
    may('manage_merge_requests')
      ? `${mergeRequestPath(project, request.iid)}/status_checks?per_page=100`
      : undefined,
  )
  const checks = mergeChecks({
    request,
    demands,
    approvals: approvals.data,
    rules: rules.data?.rules,
    statuses: statuses.data,
  })
  const failed = checks.filter(({ state, isOptional }) => state === 'failed' && !isOptional).length
  const retrying = useAction(async (id: number | undefined) => {
    await send(`${mergeRequestPath(project, request.iid)}/status_checks/${id}/retry`, { method: 'POST' })
    readAgain()
  }, notifyError)
  return (
    <>
      {settings?.merge_trains_enabled && <TrainLine {...shown} />}
      <Approval {...shown} approvals={approvals.data} onChanged={readAgain} />
      <div class={styles['checks']}>
        <h2 class={styles['title']}>{failed > 0 ? 'Cannot be merged yet' : 'What the merge needs'}</h2>
        <ul>
          {checks.map((check) => (
            <CheckLine
              key={check.text}
              check={check}
              onRetry={check.retries === undefined ? undefined : () => void retrying.run(check.retries)}
            />
          ))}
        </ul>
        {request.merge_error !== null && (
          <p class={styles['error']}>The last attempt failed: {request.merge_error}</p>
        )}
      </div>
      {boot.user && request.merge_status === 'cannot_be_merged' && request.source_project_id !== null && (
        <Conflicts {...shown} />
      )}
      {boot.user && (
        <MergeForm {...shown} squashOption={settings?.squash_option} failed={failed} demands={demands} />
      )}
    </>
  )
}

/** Of a project whose settings the reader may not see, the server decides alone. */
function demandsOf(project: Partial<FullProject> | undefined): MergeDemands {
  return {
    merge_method: project?.merge_method ?? 'merge',
    only_allow_merge_if_pipeline_succeeds: project?.only_allow_merge_if_pipeline_succeeds ?? false,
    allow_merge_on_skipped_pipeline: project?.allow_merge_on_skipped_pipeline ?? false,
    only_allow_merge_if_all_discussions_are_resolved:
      project?.only_allow_merge_if_all_discussions_are_resolved ?? false,
    only_allow_merge_if_all_status_checks_passed:
      project?.only_allow_merge_if_all_status_checks_passed ?? false,
    merge_trains_enabled: project?.merge_trains_enabled ?? false,
  }
}

const ICONS = { passed: CircleCheck, failed: CircleX, waiting: Clock }
const WORDS = { passed: 'Done', failed: 'To do', waiting: 'Waiting' }

function CheckLine({
  check: { state, text, remedy },
  onRetry,
}: {
  check: MergeCheck
  onRetry: (() => void) | undefined
}) {
  return (
    <li class={styles['check']}>
      <span class={styles[state]}>
        <Icon icon={ICONS[state]} size={16} label={WORDS[state]} />
      </span>
      <span>
        {text}
        {remedy !== undefined && <span class={styles['remedy']}> {remedy}</span>}
        {onRetry && (
          <>
            {' '}
            <Button size="small" kind="ghost" onClick={onRetry}>
              Ask it again
            </Button>
          </>
        )}
      </span>
    </li>
  )
}

interface ApprovalProps extends ShownMergeRequest {
  approvals: Approvals | undefined
  onChanged: () => void
}

/** Who has approved, and the button to do so. */
function Approval({ project, request, reload, approvals, onChanged }: ApprovalProps) {
  const path = mergeRequestPath(project, request.iid)
  const acting = useAction(async (action: 'approve' | 'unapprove') => {
    // The head that was seen is approved, and no other.
    const body = action === 'approve' ? { sha: request.sha } : {}
    await requestJson(`${path}/${action}`, { method: 'POST', body })
    onChanged()
    reload()
  }, notifyError)
  if (!approvals) return null
  const { approved_by: by, user_can_approve: mayApprove, user_has_approved: has } = approvals
  if (by.length === 0 && !mayApprove && !has) return null
  return (
    <div class={styles['line']}>
      {has ? (
        <Button isBusy={acting.isBusy} onClick={() => void acting.run('unapprove')}>
          Take back the approval
        </Button>
      ) : (
        mayApprove && (
          <Button icon={ThumbsUp} isBusy={acting.isBusy} onClick={() => void acting.run('approve')}>
            Approve
          </Button>
        )
      )}
      {by.length > 0 && (
        <span class={styles['approvers']}>
          <Icon icon={Check} size={16} /> Approved by{' '}
          {by.map(({ user }) => (
            <UserLink key={user.id} user={user} />
          ))}
        </span>
      )}
    </div>
  )
}
