import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

import type { Attachment, WikiPage } from '../../../coordinator/hosting/wikis/schema.js'
import { RequestError, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { TextEditor } from '../../discussion/text-editor.js'
import { useDraft } from '../../discussion/use-draft.js'
import { Preview } from '../../editor/markdown-preview.js'
import { Allowed } from '../../frame/allowed.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate, useSearch } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { ActionForm } from '../../kit/action-form.js'
import { Alert } from '../../kit/alert.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Input, Select } from '../../kit/field.js'
import { Box, PageHeader, Panels } from '../../kit/panel.js'
import form from '../../planned/wide-form.module.css'
import { ConflictView } from './conflict-view.js'
import { wholeTitle } from './page-tree.js'
import { useWikiNews } from './use-wiki-news.js'
import { HOME, pageAddress, pageApi, wikiApi, type WikiOwner } from './wiki-owner.js'
import { useWikiRights } from './wiki-rights.js'

/** Formats of new pages; git may push others. */
const FORMATS = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'asciidoc', label: 'AsciiDoc' },
  { value: 'rdoc', label: 'RDoc' },
  { value: 'org', label: 'Org' },
]

/** A form for a new page. `title` in the address fills it in. */
export function NewPage({ owner }: { owner: WikiOwner }) {
  useTitle(`New page · Wiki · ${owner.path}`)
  const [search] = useSearch()
  const title = search.get('title') ?? ''
  return (
    <ForWriters owner={owner} title="New page">
      <PageForm key={title} owner={owner} page={undefined} title={title} draft={`:${title}`} />
    </ForWriters>
  )
}

/** A page of a wiki in an editor. */
export function EditPage({ owner, slug }: { owner: WikiOwner; slug: string }) {
  useTitle(`Edit ${wholeTitle(slug)} · Wiki · ${owner.path}`)
  const page = useRead<WikiPage>(`${pageApi(owner, slug)}?with_details=true`)
  useWikiNews(owner)
  const isGone = page.error instanceof RequestError && page.error.status === 404
  return (
    <ForWriters owner={owner} title={`Edit ${wholeTitle(slug)}`}>
      {isGone ? (
        <Panels>
          <Alert tone="warning" title="There is no such page any more.">
            It was deleted or renamed. Save the text below to write it again.
          </Alert>
          <PageForm owner={owner} page={undefined} title={wholeTitle(slug)} />
        </Panels>
      ) : (
        <Read of={page}>
          {(record) => <PageForm owner={owner} page={record} title={wholeTitle(record.slug)} />}
        </Read>
      )}
    </ForWriters>
  )
}

function ForWriters({
  owner,
  title,
  children,
}: {
  owner: WikiOwner
  title: string
  children: ComponentChildren
}) {
  const { abilities, mayWrite } = useWikiRights(owner)
  return (
    <Allowed
      abilities={{ ...abilities, may: () => mayWrite }}
      to="write_wiki"
      title={title}
      otherwise="Developers and above can write the wiki."
    >
      <PageHeader title={title} />
      {children}
    </Allowed>
  )
}

interface PageFormProps {
  owner: WikiOwner
  /** The page as it is now; undefined for a new one. */
  page: WikiPage | undefined
  /** Its title with its folders. */
  title: string
  /** Tells the drafts of several forms at one address apart. */
  draft?: string
}

/**
 * Title, format, text and commit message of a page, kept in the browser until they are saved. The draft remembers the
 * commit that it began with: if somebody has saved the page since, both texts are shown.
 */
function PageForm({ owner, page, title: currentTitle, draft = '' }: PageFormProps) {
  const { reason } = useWikiRights(owner)
  const [before] = useState({ page, title: currentTitle })
  const title = useDraft(`title${draft}`, before.title)
  const content = useDraft(`content${draft}`, before.page?.content ?? '')
  const base = useDraft('base')
  const [format, setFormat] = useState(before.page?.format ?? 'markdown')
  const [message, setMessage] = useState('')
  const latest = page?.last_commit?.id ?? ''
  const known = base.text || (before.page?.last_commit?.id ?? '')
  const write = (text: string) => {
    if (base.text === '') base.setText(known)
    content.setText(text)
  }
  const discard = () => {
    for (const draft of [title, content, base]) draft.discard()
  }
  const saving = useAction(async (isOverwriting?: true) => {
    const body = {
      content: content.text,
      // A page of a format that only git creates keeps it.
      ...(format !== before.page?.format && { format }),
      ...(message.trim() !== '' && { message }),
    }
    try {
      const saved = page
        ? await requestJson<WikiPage>(pageApi(owner, page.slug), {
            method: 'PUT',
            body: {
              ...body,
              last_commit_id: isOverwriting ? latest : known,
              // From the root: a plain title would stay in the folder.
              ...(title.text !== before.title && { title: `/${title.text}` }),
            },
          })
        : await requestJson<WikiPage>(wikiApi(owner), {
            method: 'POST',
            body: { ...body, title: title.text },
          })
      discard()
      navigate(pageAddress(owner, saved.slug))
    } finally {
      // After a conflict, this reads what the other one has saved.
      await refresh(wikiApi(owner))
    }
  })
  const outdated = useRef(false)
  // The save of this form is a change of the page, too.
  if (!saving.isBusy) outdated.current = page !== undefined && known !== latest
  const isOutdated = outdated.current
  const mayFit = title.text.trim() !== '' && content.text.trim() !== ''
  return (
    <ActionForm
      action={{
        run: () => saving.run(),
        error: isOutdated && saving.error?.status === 409 ? undefined : saving.error,
      }}
      class={form['form']}
    >
      {page && isOutdated && (
        <ConflictView
          owner={owner}
          page={page}
          since={known}
          isBusy={saving.isBusy}
          onOverwrite={() => void saving.run(true)}
          onTakeTheirs={() => {
            content.setText(page.content)
            base.setText(latest)
          }}
        />
      )}
      <Box class={form['fields']}>
        <div class={form['first']}>
          <Input
            label="Title"
            help="Slashes make folders: Setup/First steps"
            value={title.text}
            onInput={title.setText}
            required
            autoFocus={page === undefined}
            autoComplete="off"
            class={form['title']}
          />
          <Select
            label="Format"
            value={format}
            onInput={(value) => setFormat(value as WikiPage['format'])}
            choices={
              FORMATS.some(({ value }) => value === format)
                ? FORMATS
                : [...FORMATS, { value: format, label: format }]
            }
          />
        </div>
        <TextEditor
          project={owner.kind === 'project' ? owner.path : undefined}
          uploads={{
            path: `${wikiApi(owner)}/attachments`,
            markdownIn: (response) => (response as Attachment).link.markdown,
          }}
          label="Content"
          value={content.text}
          onInput={write}
          onSend={() => {
            if (mayFit && reason === undefined) void saving.run()
          }}
          rows={18}
          placeholder="[[Page title]] links to another page. Pictures can be pasted."
          preview={(text) => (
            <Preview
              path={`${wikiApi(owner)}/preview`}
              body={{ content: text, title: title.text || undefined, format }}
              isEmpty={text.trim() === ''}
            />
          )}
        />
        <Input
          label="Commit message"
          placeholder={page ? `Update ${page.title}` : 'What the page is for'}
          value={message}
          onInput={setMessage}
          autoComplete="off"
        />
        <div class={form['buttons']}>
          <Button kind="primary" type="submit" isBusy={saving.isBusy} reason={reason} disabled={!mayFit}>
            {page ? 'Save changes' : 'Create page'}
          </Button>
          <LinkButton href={pageAddress(owner, page?.slug ?? HOME)}>Cancel</LinkButton>
          {(content.isChanged || title.isChanged) && (
            <Button kind="ghost" onClick={discard}>
              Discard the draft
            </Button>
          )}
        </div>
      </Box>
    </ActionForm>
  )
}
