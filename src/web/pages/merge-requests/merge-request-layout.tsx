import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import { useTitle } from '../../frame/document-title.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Badge } from '../../kit/badge.js'
import { PageHeader } from '../../kit/panel.js'
import { Tabs } from '../../kit/tabs.js'
import { Time } from '../../kit/time.js'
import { DeletedAlert } from '../../planned/deleted-alert.js'
import { UserLink } from '../../records/user-link.js'
import { MarkedText } from '../../text/marked-text.js'
import { HeaderActions } from './header-actions.js'
import styles from './merge-request-layout.module.css'
import type { ShownMergeRequest } from './shown-merge-request.js'
import { stateLook } from './state-words.js'
import { useMergeRequest } from './use-merge-request.js'

type MergeRequestTab = 'overview' | 'commits' | 'pipelines' | 'changes'

interface MergeRequestLayoutProps {
  params: Record<'project' | 'iid', string>
  tab: MergeRequestTab
  children: (shown: ShownMergeRequest) => ComponentChildren
}

/** What the pages of a merge request have in common: its title, what it merges, and its tabs. */
export function MergeRequestLayout({ params, tab, children }: MergeRequestLayoutProps) {
  const { project, iid } = params
  const { record, reload } = useMergeRequest(project, iid)
  return (
    <Read of={record} title={`Merge request !${iid}`}>
      {(request) => (
        <>
          <DeletedAlert kind="merge-request" id={request.id} error={record.error} />
          <Header project={project} request={request} reload={reload} />
          <RequestTabs project={project} request={request} current={tab} />
          <div class={styles['tab']}>{children({ project, request, reload })}</div>
        </>
      )}
    </Read>
  )
}

function Header({ project, request, reload }: ShownMergeRequest) {
  useTitle(`${request.title} · !${request.iid} · ${project}`, request.head_pipeline?.status)
  const { word, tone } = stateLook(request)
  return (
    <PageHeader
      title={
        <span>
          <MarkedText text={request.title} /> <span class={styles['number']}>!{request.iid}</span>
        </span>
      }
      details={
        <span class={styles['details']}>
          <Badge tone={tone}>{word}</Badge>
          <UserLink user={request.author} />
          <span>{request.state === 'merged' ? 'merged' : 'wants to merge'}</span>
          <SourceBranch project={project} request={request} />
          <span>into</span>
          <Branch project={project} name={request.target_branch} />
          <Time value={request.created_at} />
        </span>
      }
      actions={<HeaderActions project={project} request={request} reload={reload} />}
    />
  )
}

/** The branch of a fork is named with the fork, and has no link: not everybody may see it. */
function SourceBranch({ project, request }: Omit<ShownMergeRequest, 'reload'>) {
  if (request.source_project_id === request.target_project_id)
    return <Branch project={project} name={request.source_branch} />
  return (
    <code class={styles['branch']}>
      {request.source_project_id === null ? 'a deleted fork' : 'a fork'}: {request.source_branch}
    </code>
  )
}

function Branch({ project, name }: { project: string; name: string }) {
  const { may } = useProjectAbilities(project)
  if (!may('read_code')) return <code class={styles['branch']}>{name}</code>
  return (
    <a class={styles['branch']} href={addressOf('code/tree', { project, ref_path: name })}>
      {name}
    </a>
  )
}

interface RequestTabsProps extends Omit<ShownMergeRequest, 'reload'> {
  current: MergeRequestTab
}

function RequestTabs({ project, request, current }: RequestTabsProps) {
  const { may } = useProjectAbilities(project)
  const params = { project, iid: String(request.iid) }
  return (
    <Tabs
      label="Merge request"
      tabs={[
        {
          label: 'Overview',
          href: addressOf('merge-requests/merge-request', params),
          isCurrent: current === 'overview',
          count: request.user_notes_count || undefined,
        },
        {
          label: 'Commits',
          href: addressOf('merge-requests/commits', params),
          isCurrent: current === 'commits',
        },
        ...(may('read_pipelines') || current === 'pipelines'
          ? [
              {
                label: 'Pipelines',
                href: addressOf('merge-requests/pipelines', params),
                isCurrent: current === 'pipelines',
              },
            ]
          : []),
        {
          label: 'Changes',
          href: addressOf('merge-requests/changes', params),
          isCurrent: current === 'changes',
          count: request.changes_count ?? undefined,
        },
      ]}
    />
  )
}
