import { BookOpen, Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

import type { ListedPage, WikiPage } from '../../../coordinator/hosting/wikis/schema.js'
import { RequestError } from '../../api/client.js'
import { useRead } from '../../api/use-read.js'
import { Rendered } from '../../code/rendered.js'
import { NotFound, Read } from '../../frame/problem.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { Box, PageHeader } from '../../kit/panel.js'
import { useNarrow } from '../../kit/use-narrow.js'
import { pageTree } from './page-tree.js'
import { useWikiNews } from './use-wiki-news.js'
import styles from './wiki-layout.module.css'
import { HOME, newAddress, pageApi, SIDEBAR, wikiApi, type WikiOwner } from './wiki-owner.js'
import type { WikiRights } from './wiki-rights.js'
import { WikiTree } from './wiki-tree.js'

interface WikiLayoutProps {
  owner: WikiOwner
  rights: WikiRights
  /** The slug of the page that is shown. */
  current?: string | undefined
  /** Called when the wiki has a page. */
  children: (pages: readonly ListedPage[]) => ComponentChildren
}

/** A page of a wiki, with the list of all pages beside it. */
export function WikiLayout({ owner, rights, current, children }: WikiLayoutProps) {
  const list = useRead<ListedPage[]>(wikiApi(owner))
  const isNarrow = useNarrow()
  useWikiNews(owner)
  // A wiki that is off, or for members only, is as one that does not exist.
  if (isHidden(list.error)) return <NotFound isPage />
  return (
    <Read of={list} title="Wiki">
      {(pages) => {
        if (pages.length === 0) return <EmptyWiki owner={owner} rights={rights} />
        const side = <Side owner={owner} pages={pages} current={current} />
        return (
          <div class={styles['columns']}>
            {isNarrow ? (
              // Folded again once a page was chosen.
              <details key={current} class={styles['folded']}>
                <summary>Pages of the wiki</summary>
                {side}
              </details>
            ) : (
              <nav class={styles['side']} aria-label="Pages of the wiki">
                {side}
              </nav>
            )}
            <div class={styles['main']}>{children(pages)}</div>
          </div>
        )
      }}
    </Read>
  )
}

function isHidden(error: Error | null): boolean {
  return error instanceof RequestError && [401, 403, 404].includes(error.status)
}

interface SideProps {
  owner: WikiOwner
  pages: readonly ListedPage[]
  current: string | undefined
}

/** The page `_sidebar`, if there is one, above all pages. */
function Side({ owner, pages, current }: SideProps) {
  const nodes = useMemo(() => pageTree(pages), [pages])
  const hasSidebar = pages.some(({ slug }) => slug === SIDEBAR)
  const sidebar = useRead<WikiPage>(hasSidebar ? `${pageApi(owner, SIDEBAR)}?with_details=true` : undefined)
  const tree = <WikiTree owner={owner} nodes={nodes} current={current} />
  if (sidebar.data?.html === undefined) return tree
  return (
    <>
      <div class={styles['custom']}>
        <Rendered html={sidebar.data.html} below={1} />
      </div>
      <details class={styles['all']}>
        <summary>All pages</summary>
        {tree}
      </details>
    </>
  )
}

function EmptyWiki({ owner, rights: { mayWrite, reason } }: Pick<WikiLayoutProps, 'owner' | 'rights'>) {
  return (
    <>
      <PageHeader title="Wiki" />
      <Box>
        <Empty
          icon={BookOpen}
          title="The wiki has no page yet."
          action={
            mayWrite && (
              <LinkButton kind="primary" icon={Plus} reason={reason} href={newAddress(owner, HOME)}>
                Write the first page
              </LinkButton>
            )
          }
        >
          A wiki has texts that belong to the {owner.kind} and not to a version of its code: plans, decisions,
          how things are done.
          {!mayWrite && ' Developers and above can write it.'}
        </Empty>
      </Box>
    </>
  )
}
