import {
  CircleCheck,
  CircleDot,
  FileText,
  GitCommitHorizontal,
  type IconNode,
  MessageSquare,
  Milestone as MilestoneIcon,
} from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'
import type { FoundRecords } from '../../../coordinator/planning/search/schema.js'
import { useRead } from '../../api/use-read.js'
import { excerptAround, filesOf, type FoundFile, markHits } from '../../code/find-hits.js'
import { FoundFilePanel } from '../../code/found-file.js'
import { Hits } from '../../code/hits.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { Time } from '../../kit/time.js'
import row from '../../planned/planned-row.module.css'
import { requestStateLook } from '../../planned/request-state.js'
import { type ListedProject, ProjectRows } from '../../records/project-rows.js'
import { UserLink } from '../../records/user-link.js'
import styles from './page.module.css'
import { ownerPathIn, type Scope, type SearchOwner } from './scopes.js'

interface ResultsProps {
  scope: Scope
  owner: SearchOwner
  search: string
  /** Records of the scope. */
  rows: readonly object[]
}

/** What a search has found, by the kind of the records. */
export function Results({ scope, owner, search, rows }: ResultsProps) {
  if (scope === 'blobs' || scope === 'wiki_blobs') {
    return (
      <>
        {filesOf(rows as FoundRecords['blobs'][], search).map((file) => (
          <File
            key={`${file.projectId ?? `group ${file.groupId}`} ${file.path}`}
            file={file}
            isWiki={scope === 'wiki_blobs'}
            showsProject={owner.kind !== 'project'}
          />
        ))}
      </>
    )
  }
  if (scope === 'projects') {
    return (
      <Panel isFlush>
        <ProjectRows label="Projects" projects={rows as ListedProject[]} />
      </Panel>
    )
  }
  return (
    <Panel isFlush>
      <ul class={styles['rows']} aria-label="Results">
        {rows.map((record, index) => (
          <Row key={index} {...{ scope, search, record }} />
        ))}
      </ul>
    </Panel>
  )
}

/** The API names projects and groups of files by their IDs. */
function File({ file, isWiki, showsProject }: { file: FoundFile; isWiki: boolean; showsProject: boolean }) {
  const { projectId, groupId } = file
  const project = useRead<{ path_with_namespace: string }>(
    projectId === null ? undefined : projectApi(projectId),
    { staleTime: 60_000 },
  ).data?.path_with_namespace
  const group = useRead<{ full_path: string }>(groupId === undefined ? undefined : groupApi(groupId), {
    staleTime: 60_000,
  }).data?.full_path
  const slug = file.path.replace(/\.[^./]+$/, '')
  if (project !== undefined) {
    const page = isWiki ? addressOf('wikis/page', { project, slug }) : undefined
    return (
      <FoundFilePanel
        owner={project}
        file={file}
        showsOwner={showsProject}
        {...(page !== undefined && { page })}
      />
    )
  }
  if (group === undefined) return null
  return (
    <FoundFilePanel
      owner={group}
      file={file}
      showsOwner
      page={addressOf('wikis/group-page', { group, slug })}
    />
  )
}

interface RowProps {
  scope: Scope
  search: string
  record: object
}

function Row({ scope, search, record }: RowProps) {
  switch (scope) {
    case 'issues':
      return <IssueResult issue={record as FoundRecords['issues']} search={search} />
    case 'merge_requests':
      return <RequestResult request={record as FoundRecords['merge_requests']} search={search} />
    case 'commits':
      return <CommitResult commit={record as FoundRecords['commits']} search={search} />
    case 'milestones':
      return <MilestoneResult milestone={record as FoundRecords['milestones']} search={search} />
    case 'notes':
      return <NoteResult note={record as FoundRecords['notes']} search={search} />
    case 'snippet_titles':
      return <SnippetResult snippet={record as FoundRecords['snippet_titles']} search={search} />
    case 'users':
      return <UserResult user={record as FoundRecords['users']} />
    default:
      return null
  }
}

interface LineProps {
  icon: IconNode
  label: string
  tone?: 'done' | 'refused' | 'quiet'
  href: string
  title: string
  search: string
  facts: ComponentChildren
  /** A longer text, which is shown around its first hit. */
  text?: string | null
}

function Line({ icon, label, tone, href, title, search, facts, text }: LineProps) {
  const excerpt = text ? excerptAround(text, search) : undefined
  return (
    <li class={row['row']}>
      <span class={classNames(row['state'], tone && row[tone])}>
        <Icon icon={icon} label={label} />
      </span>
      <div class={row['main']}>
        <a class={row['title']} href={href} data-entry="">
          <Hits parts={markHits(title, search)} />
        </a>
        {excerpt !== undefined && (
          <p class={styles['excerpt']}>
            <Hits parts={markHits(excerpt, search)} />
          </p>
        )}
        <div class={row['facts']}>
          <span>{facts}</span>
        </div>
      </div>
    </li>
  )
}

function IssueResult({ issue, search }: { issue: FoundRecords['issues']; search: string }) {
  const isOpen = issue.state === 'opened'
  return (
    <Line
      icon={isOpen ? CircleDot : CircleCheck}
      label={isOpen ? 'Open' : 'Closed'}
      {...(!isOpen && { tone: 'done' as const })}
      href={issue.web_url}
      title={issue.title}
      text={issue.description}
      search={search}
      facts={
        <>
          {issue.references.full} · opened <Time value={issue.created_at} /> by{' '}
          {issue.author?.name ?? 'a deleted account'}
        </>
      }
    />
  )
}

function RequestResult({ request, search }: { request: FoundRecords['merge_requests']; search: string }) {
  return (
    <Line
      {...requestStateLook(request)}
      href={request.web_url}
      title={request.title}
      text={request.description}
      search={search}
      facts={
        <>
          {request.references.full} · {request.source_branch} · opened <Time value={request.created_at} /> by{' '}
          {request.author?.name ?? 'a deleted account'}
        </>
      }
    />
  )
}

function CommitResult({ commit, search }: { commit: FoundRecords['commits']; search: string }) {
  return (
    <Line
      icon={GitCommitHorizontal}
      label="Commit"
      tone="quiet"
      href={commit.web_url}
      title={commit.title}
      text={commit.message.slice(commit.title.length)}
      search={search}
      facts={
        <>
          {ownerPathIn(commit.web_url)}@{commit.short_id} · by {commit.author_name}{' '}
          <Time value={commit.authored_date} />
        </>
      }
    />
  )
}

function MilestoneResult({ milestone, search }: { milestone: FoundRecords['milestones']; search: string }) {
  return (
    <Line
      icon={MilestoneIcon}
      label="Milestone"
      tone="quiet"
      href={milestone.web_url}
      title={milestone.title}
      text={milestone.description}
      search={search}
      facts={
        <>
          {ownerPathIn(milestone.web_url)} · {milestone.state === 'active' ? 'open' : 'closed'}
          {milestone.due_date !== null && <> · due on {milestone.due_date}</>}
        </>
      }
    />
  )
}

function NoteResult({ note, search }: { note: FoundRecords['notes']; search: string }) {
  const project = useRead<{ path_with_namespace: string }>(projectApi(note.project_id ?? 0), {
    staleTime: 60_000,
  }).data?.path_with_namespace
  const isIssue = note.noteable_type === 'Issue'
  const href =
    project === undefined
      ? ''
      : addressOf(
          isIssue ? 'issues/issue' : 'merge-requests/merge-request',
          { project, iid: String(note.noteable_iid) },
          {},
          `#note_${note.id}`,
        )
  return (
    <Line
      icon={MessageSquare}
      label="Comment"
      tone="quiet"
      href={href}
      title={`Comment on ${isIssue ? '#' : '!'}${note.noteable_iid}`}
      text={note.body}
      search={search}
      facts={
        <>
          by {note.author?.name ?? 'a deleted account'} <Time value={note.created_at} />
        </>
      }
    />
  )
}

function SnippetResult({ snippet, search }: { snippet: FoundRecords['snippet_titles']; search: string }) {
  return (
    <Line
      icon={FileText}
      label="Snippet"
      tone="quiet"
      href={snippet.web_url}
      title={snippet.title}
      search={search}
      facts={
        <>
          {snippet.file_name} · by {snippet.author.name} <Time value={snippet.created_at} />
        </>
      }
    />
  )
}

function UserResult({ user }: { user: FoundRecords['users'] }) {
  return (
    <li class={row['row']}>
      <div class={row['main']}>
        <UserLink user={user} size={24} />
      </div>
      <div class={row['end']}>@{user.username}</div>
    </li>
  )
}
