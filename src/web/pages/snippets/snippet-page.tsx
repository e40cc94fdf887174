import { Link2, Pencil } from 'lucide'
import { useState } from 'preact/hooks'

import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { boot } from '../../api/boot.js'
import { request, RequestError } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { Markdown } from '../../discussion/markdown.js'
import { Threads } from '../../discussion/threads.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { NotFound, Read } from '../../frame/problem.js'
import { LinkButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Menu, MenuItem } from '../../kit/menu.js'
import { Box, PageHeader } from '../../kit/panel.js'
import { Popover } from '../../kit/popover.js'
import { Time } from '../../kit/time.js'
import { useLive } from '../../live/use-live.js'
import { DeletedAlert } from '../../planned/deleted-alert.js'
import { CopyField } from '../../records/copy-field.js'
import { UserLink } from '../../records/user-link.js'
import { VisibilityBadge } from '../../records/visibility.js'
import { markdownLink } from './markdown-link.js'
import { FileOfSnippet } from './snippet-file.js'
import {
  editAddress,
  listAddress,
  listApi,
  shownApi,
  snippetApi,
  type SnippetProject,
} from './snippet-owner.js'
import styles from './snippet-page.module.css'
import { useSnippetRights } from './snippet-rights.js'

/** A snippet of a project or of a user: its text, its files, and the discussion of one in a project. */
export function SnippetPage({ project, id }: { project: SnippetProject; id: string }) {
  const snippet = useRead<Snippet>(shownApi(project, id))
  useTitle(`${snippet.data?.title ?? 'Snippet'} · ${project ?? 'Snippets'}`)
  const reload = () => void snippet.refetch()
  const isThis = (changed: { id: number }) => {
    if (String(changed.id) === id) reload()
  }
  useLive([`snippet/${id}`], { snippet: isThis }, reload)
  if (!snippet.data && isHidden(snippet.error)) return <NotFound isPage />
  return (
    <Read of={snippet} title="Snippet">
      {(record) => (
        <>
          <DeletedAlert kind="snippet" id={record.id} error={snippet.error} />
          <Shown key={record.id} project={project} snippet={record} />
        </>
      )}
    </Read>
  )
}

function isHidden(error: Error | null): boolean {
  return error instanceof RequestError && [401, 403, 404].includes(error.status)
}

interface ShownProps {
  project: SnippetProject
  snippet: Snippet
}

function Shown({ project, snippet }: ShownProps) {
  const { id, title, description, visibility, author, created_at: created, updated_at: updated } = snippet
  const { mayEdit, reason } = useSnippetRights(project)
  const { files = [] } = snippet
  const isOwn = mayEdit(snippet)
  return (
    <>
      <PageHeader
        title={title}
        details={
          <>
            <VisibilityBadge visibility={visibility} />
            <UserLink user={author} />
            <span>
              created <Time value={created} />
              {updated !== created && (
                <>
                  , changed <Time value={updated} />
                </>
              )}
            </span>
          </>
        }
        actions={
          <>
            <Popover label="Share" icon={Link2}>
              <ShareFields snippet={snippet} />
            </Popover>
            {isOwn && (
              <LinkButton icon={Pencil} reason={reason} href={editAddress(project, id)}>
                Edit
              </LinkButton>
            )}
            {isOwn && <DeleteSnippet project={project} snippet={snippet} reason={reason} />}
          </>
        }
      />
      <div class={styles['parts']}>
        {description && (
          <Box label="Description" class={styles['description']}>
            <Markdown
              project={project}
              text={description}
              // For users, the server is asked for the text with links to issues and people.
              html={boot.user ? undefined : snippet.description_html}
              below={1}
            />
          </Box>
        )}
        {files.map(({ path }) => (
          <FileOfSnippet
            key={`${path} ${updated}`}
            project={project}
            id={id}
            path={path}
            isOnly={files.length === 1}
          />
        ))}
        {project !== undefined && (
          <Threads
            of={{ project, kind: 'snippets', iid: id, id, authorId: author.id, isLocked: false }}
            onChanged={() => undefined}
          />
        )}
      </div>
    </>
  )
}

/** Links to the snippet and to its files, and its clone address. */
function ShareFields({
  snippet: { title, web_url: url, files = [], http_url_to_repo: http, ssh_url_to_repo: ssh },
}: {
  snippet: Snippet
}) {
  return (
    <div class={styles['share']}>
      <CopyField label="Link" value={url} />
      <CopyField label="Markdown" value={markdownLink(title, url)} />
      {files.map((file) => (
        <CopyField key={file.path} label={`Raw: ${file.path}`} value={file.raw_url} />
      ))}
      <CopyField label={`Clone with ${http.startsWith('https:') ? 'HTTPS' : 'HTTP'}`} value={http} />
      {boot.serves_ssh && <CopyField label="Clone with SSH" value={ssh} />}
    </div>
  )
}

function DeleteSnippet({
  project,
  snippet: { id, title },
  reason,
}: ShownProps & { reason: string | undefined }) {
  const [asks, setAsks] = useState(false)
  const deleting = useAction(async () => {
    await request(snippetApi(project, id), { method: 'DELETE' })
    navigate(listAddress(project))
    await refresh(listApi(project))
    notify(`${title} was deleted`)
  }, notifyError)
  return (
    <>
      <Menu name="More about the snippet">
        <MenuItem isDangerous reason={reason} onSelect={() => setAsks(true)}>
          Delete…
        </MenuItem>
      </Menu>
      {asks && (
        <ConfirmDialog
          title={`Delete the snippet ${title}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={() => setAsks(false)}
        >
          <p>Its files, their history and the comments are deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
