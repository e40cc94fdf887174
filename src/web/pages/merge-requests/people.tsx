import type { Static } from 'typebox'

import { addressOf } from '../../../addresses/address-of.js'
import type { Reviewer } from '../../../coordinator/planning/merge-requests/schema.js'
import { requestJson } from '../../api/client.js'
import { useRead } from '../../api/use-read.js'
import { SidePart } from '../../discussion/side-part.js'
import { Badge } from '../../kit/badge.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Time } from '../../kit/time.js'
import { LabelsPart, MilestonePart, ParticipantsPart, PeoplePart } from '../../planned/side-values.js'
import { useMayChange } from './may-change.js'
import { mergeRequestPath } from './merge-request-path.js'
import styles from './people.module.css'
import type { ShownMergeRequest } from './shown-merge-request.js'

const REVIEWS: Readonly<Record<string, string>> = {
  approved: 'approved',
  requested_changes: 'requested changes',
  reviewed: 'reviewed',
  unapproved: 'took the approval back',
}

/** Who takes part in a merge request, and its labels, milestone and issues. */
export function People(shown: ShownMergeRequest) {
  const { project, request, reload } = shown
  const path = mergeRequestPath(project, request.iid)
  const { mayChange, reason } = useMayChange(project, request)
  const save = async (fields: object) => {
    await requestJson(path, { method: 'PUT', body: fields })
    reload()
  }
  const side = { project, manages: mayChange, reason, save }
  return (
    <>
      <Reviewers {...side} path={path} reviewers={request.reviewers} />
      <PeoplePart {...side} title="Assignees" people={request.assignees} field="assignee_ids" />
      <LabelsPart
        {...side}
        names={request.labels}
        hrefOf={(name) => addressOf('merge-requests/list', { project }, { 'label_name[]': name })}
      />
      <MilestonePart {...side} milestone={request.milestone} />
      <ClosedIssues path={path} />
      {request.first_deployed_to_production_at !== null && (
        <SidePart title="In production">
          <Time value={request.first_deployed_to_production_at} />
        </SidePart>
      )}
      <ParticipantsPart path={path} />
      <SidePart title="Reference">
        <code>{request.references.full}</code>
        <CopyButton text={request.references.full} label="Copy the reference" />
      </SidePart>
    </>
  )
}

type SideProps = Pick<Parameters<typeof PeoplePart>[0], 'project' | 'manages' | 'reason' | 'save'>

interface ReviewersProps extends SideProps {
  path: string
  reviewers: ShownMergeRequest['request']['reviewers']
}

/** The reviewers, with what each of them has said. */
function Reviewers({ path, reviewers, ...side }: ReviewersProps) {
  const reviews = useRead<Static<typeof Reviewer>[]>(
    reviewers.length > 0 ? `${path}/reviewers` : undefined,
  ).data
  return (
    <PeoplePart
      {...side}
      title="Reviewers"
      people={reviewers}
      field="reviewer_ids"
      detail={({ id }) => {
        const word = REVIEWS[reviews?.find(({ user }) => user.id === id)?.state ?? '']
        return word !== undefined && <Badge tone={word === 'approved' ? 'success' : 'neutral'}>{word}</Badge>
      }}
    />
  )
}

interface ClosedIssue {
  id: number
  title: string
  web_url: string
  references: { relative: string }
}

/** The issues that the merge closes. */
function ClosedIssues({ path }: { path: string }) {
  const { data = [] } = useRead<ClosedIssue[]>(`${path}/closes_issues?per_page=20`)
  if (data.length === 0) return null
  return (
    <SidePart title="Closes">
      {data.map(({ id, title, web_url, references }) => (
        <a key={id} class={styles['issue']} href={web_url} title={title}>
          {references.relative} {title}
        </a>
      ))}
    </SidePart>
  )
}
