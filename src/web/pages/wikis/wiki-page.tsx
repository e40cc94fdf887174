import { Download, FileQuestionMark, History, Pencil, Plus, RotateCcw, Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import type { WikiPage as PageRecord } from '../../../coordinator/hosting/wikis/schema.js'
import { request, RequestError, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { Rendered } from '../../code/rendered.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate, useSearch } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { NotFound, Read } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { Box, PageHeader, Panel, Panels } from '../../kit/panel.js'
import { Time } from '../../kit/time.js'
import { CloneDialog } from './clone-dialog.js'
import { pageTree, shownTitle, wholeTitle } from './page-tree.js'
import { WikiLayout } from './wiki-layout.js'
import { HOME, newAddress, pageAddress, pageApi, viewAddress, wikiApi, type WikiOwner } from './wiki-owner.js'
import styles from './wiki-page.module.css'
import { useWikiRights, type WikiRights } from './wiki-rights.js'
import { WikiTree } from './wiki-tree.js'

/** A page of the wiki of a project or group. `version_id` in the address is a commit of the wiki. */
export function WikiPage({ owner, slug: given }: { owner: WikiOwner; slug: string }) {
  const slug = given || HOME
  const rights = useWikiRights(owner)
  const [search] = useSearch()
  const version = search.get('version_id') ?? undefined
  useTitle(`${wholeTitle(slug)} · Wiki · ${owner.path}`)
  useEffect(() => window.scrollTo(0, 0), [slug, version])
  return (
    <WikiLayout owner={owner} rights={rights} current={slug}>
      {(pages) =>
        slug === HOME && version === undefined && !pages.some((page) => page.slug === HOME) ? (
          <AllPages owner={owner} rights={rights} pages={pages} />
        ) : (
          <OnePage
            key={`${slug} ${version ?? ''}`}
            owner={owner}
            rights={rights}
            slug={slug}
            version={version}
            hasLatest={pages.some((page) => page.slug === slug)}
          />
        )
      }
    </WikiLayout>
  )
}

interface PartProps {
  owner: WikiOwner
  rights: WikiRights
}

/** In place of a home page. */
function AllPages({
  owner,
  rights: { mayWrite, reason },
  pages,
}: PartProps & { pages: Parameters<typeof pageTree>[0] }) {
  return (
    <>
      <PageHeader
        title="Wiki"
        actions={
          mayWrite && (
            <LinkButton kind="primary" icon={Plus} reason={reason} href={newAddress(owner, HOME)}>
              Write the home page
            </LinkButton>
          )
        }
      />
      <Panel title="All pages">
        <WikiTree owner={owner} nodes={pageTree(pages)} />
      </Panel>
    </>
  )
}

interface OnePageProps extends PartProps {
  slug: string
  version: string | undefined
  /** There is a page with this name now. */
  hasLatest: boolean
}

function OnePage({ owner, rights, slug, version, hasLatest }: OnePageProps) {
  const query = version === undefined ? '' : `&version=${encodeURIComponent(version)}`
  const page = useRead<PageRecord>(`${pageApi(owner, slug)}?with_details=true${query}`)
  const isGone = page.error instanceof RequestError && page.error.status === 404
  if (isGone && !page.data) {
    return version === undefined ? <Missing owner={owner} rights={rights} slug={slug} /> : <NotFound isPage />
  }
  return (
    <Read of={page} title={wholeTitle(slug)}>
      {(record) => (
        <>
          {isGone && (
            <Alert tone="error" title="This page was deleted or renamed.">
              It is shown as it was before.
            </Alert>
          )}
          <Shown owner={owner} rights={rights} page={record} version={version} hasLatest={hasLatest} />
        </>
      )}
    </Read>
  )
}

/** Links lead to pages that are to be written. */
function Missing({ owner, rights: { mayWrite, reason }, slug }: PartProps & { slug: string }) {
  if (!mayWrite) return <NotFound isPage />
  return (
    <Empty
      icon={FileQuestionMark}
      title={<h1 tabIndex={-1}>There is no page “{wholeTitle(slug)}”.</h1>}
      action={
        <LinkButton kind="primary" icon={Plus} reason={reason} href={newAddress(owner, wholeTitle(slug))}>
          Write it
        </LinkButton>
      }
    >
      It was deleted or renamed, or nobody has written it yet.
    </Empty>
  )
}

interface ShownProps extends Omit<OnePageProps, 'slug'> {
  page: PageRecord
}

function Shown({ owner, rights, page, version, hasLatest }: ShownProps) {
  const { slug, title, format, html = '', last_commit: last } = page
  const { mayWrite, mayDelete, reason } = rights
  const folder = slug.slice(0, Math.max(0, slug.lastIndexOf('/')))
  return (
    <>
      <PageHeader
        title={shownTitle(title)}
        details={
          <>
            {folder !== '' && <span>{wholeTitle(folder)}</span>}
            {last && (
              <a href={viewAddress(owner, 'history', slug)}>
                Changed <Time value={last.authored_date} /> by {last.author_name}
              </a>
            )}
            {format !== 'markdown' && <Badge>{format}</Badge>}
          </>
        }
        actions={
          <>
            {mayWrite && version === undefined && (
              <LinkButton icon={Pencil} reason={reason} href={viewAddress(owner, 'edit', slug)}>
                Edit
              </LinkButton>
            )}
            <LinkButton icon={History} href={viewAddress(owner, 'history', slug)}>
              History
            </LinkButton>
            {mayWrite && (
              <LinkButton
                kind="primary"
                icon={Plus}
                reason={reason}
                href={newAddress(owner, folder === '' ? undefined : `${wholeTitle(folder)}/`)}
              >
                New page
              </LinkButton>
            )}
            <PageMenu
              owner={owner}
              page={page}
              mayDelete={mayDelete && version === undefined}
              reason={reason}
            />
          </>
        }
      />
      <Panels>
        {version !== undefined && (
          <EarlierVersion owner={owner} rights={rights} page={page} version={version} hasLatest={hasLatest} />
        )}
        <Box label="Page" class={styles['page']}>
          {page.content.trim() === '' ? (
            <p class={styles['empty']}>The page is empty.</p>
          ) : (
            <Rendered html={html} />
          )}
        </Box>
      </Panels>
    </>
  )
}

function EarlierVersion({
  owner,
  rights,
  page,
  version,
  hasLatest,
}: PartProps & { page: PageRecord; version: string; hasLatest: boolean }) {
  const { slug, title, content, last_commit: last } = page
  const { mayWrite, reason } = rights
  const restoring = useAction(async () => {
    await requestJson(pageApi(owner, slug), {
      method: 'PUT',
      body: { content, message: `Restore ${title} as of ${version.slice(0, 8)}` },
    })
    await refresh(wikiApi(owner))
    notify('The version was restored')
    navigate(pageAddress(owner, slug))
  }, notifyError)
  return (
    <Alert
      tone="info"
      title="This is an earlier version of the page."
      actions={
        hasLatest ? (
          <>
            <LinkButton size="small" href={pageAddress(owner, slug)}>
              Latest version
            </LinkButton>
            <LinkButton size="small" href={viewAddress(owner, 'diff', slug, { version_id: version })}>
              Its changes
            </LinkButton>
            {mayWrite && (
              <Button
                size="small"
                icon={RotateCcw}
                reason={reason}
                isBusy={restoring.isBusy}
                onClick={() => void restoring.run()}
              >
                Restore
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      {last?.title}
      {!hasLatest && ' No page has this name any more.'}
    </Alert>
  )
}

interface PageMenuProps {
  owner: WikiOwner
  page: PageRecord
  mayDelete: boolean
  reason: string | undefined
}

function PageMenu({ owner, page: { slug, title }, mayDelete, reason }: PageMenuProps) {
  const [open, setOpen] = useState<'clone' | 'delete'>()
  const close = () => setOpen(undefined)
  const deleting = useAction(async () => {
    await request(pageApi(owner, slug), { method: 'DELETE' })
    navigate(pageAddress(owner, HOME))
    await refresh(wikiApi(owner))
    notify(`${title} was deleted`)
  }, notifyError)
  return (
    <>
      <Menu name="More about the page">
        <MenuItem icon={Download} onSelect={() => setOpen('clone')}>
          Clone the wiki…
        </MenuItem>
        {mayDelete && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous reason={reason} onSelect={() => setOpen('delete')}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'clone' && <CloneDialog owner={owner} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the page ${title}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={close}
        >
          <p>Its versions stay in the repository of the wiki. Links to it lead nowhere.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
