import { useEffect, useState } from 'preact/hooks'

import type { SingleIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { boot } from '../../../api/boot.js'
import { RequestError } from '../../../api/client.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Threads } from '../../../discussion/threads.js'
import { useTitle } from '../../../frame/document-title.js'
import { NotFound, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { DeletedAlert } from '../../../planned/deleted-alert.js'
import { Description } from '../../../planned/description.js'
import { RecordColumns } from '../../../planned/record-columns.js'
import { issuePath } from '../issue-path.js'
import { IssueHeader } from './issue-header.js'
import type { IssueProps } from './issue-props.js'
import { LinkDialog, LinkedIssues } from './linked-issues.js'
import { RelatedMergeRequests } from './related-merge-requests.js'
import { IssueSide } from './side.js'
import { StateButton } from './state-button.js'

/** An issue: its text, what is planned for it, its links, and the discussion. */
export function Page({ params: { project, iid } }: { params: Record<'project' | 'iid', string> }) {
  const isNumber = /^\d{1,15}$/.test(iid)
  const path = issuePath(project, iid)
  const issue = useRead<SingleIssue>(isNumber ? `${path}?render_html=true` : undefined)
  const abilities = useProjectAbilities(project)
  useTitle(`${issue.data ? `${issue.data.title} (#${iid})` : `#${iid}`} · ${project}`)
  useEffect(() => window.scrollTo(0, 0), [path])
  if (!isNumber || (!issue.data && isHidden(issue.error))) return <NotFound isPage />
  return (
    <Read of={issue} title={`Issue #${iid}`}>
      {(record) => (
        <Issue
          key={record.id}
          error={issue.error}
          project={project}
          issue={record}
          path={path}
          manages={abilities.may('manage_issues')}
          mayEdit={
            abilities.may('manage_issues') || (boot.user !== null && record.author?.id === boot.user.id)
          }
          mayDelete={abilities.may('delete_issues')}
          reason={abilities.reasonAgainst('read_issues')}
          onChanged={() => void refresh(path)}
        />
      )}
    </Read>
  )
}

function isHidden(error: Error | null): boolean {
  return error instanceof RequestError && [401, 403, 404].includes(error.status)
}

function Issue({ error, ...props }: IssueProps & { error: Error | null }) {
  const { project, issue, path, onChanged } = props
  const of = {
    project,
    kind: 'issues',
    iid: issue.iid,
    id: issue.id,
    authorId: issue.author?.id ?? null,
    isLocked: issue.discussion_locked === true,
  } as const
  const [links, setLinks] = useState(false)
  return (
    <>
      <DeletedAlert kind="issue" id={issue.id} error={error} />
      <IssueHeader {...props} onLink={() => setLinks(true)} />
      <RecordColumns side={<IssueSide {...props} />}>
        <Description {...props} kind="issues" record={issue} />
        <LinkedIssues {...props} onLink={() => setLinks(true)} />
        <RelatedMergeRequests project={project} path={path} />
        <Threads of={of} onChanged={onChanged} actions={<StateButton {...props} />} />
      </RecordColumns>
      {links && (
        <LinkDialog project={project} path={path} onClose={() => setLinks(false)} onLinked={onChanged} />
      )}
    </>
  )
}
