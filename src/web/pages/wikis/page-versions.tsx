import { FileText, GitCompareArrows } from 'lucide'

import type { WikiVersion } from '../../../coordinator/hosting/wikis/schema.js'
import { useReadList } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { NotFound, ReadRows } from '../../frame/problem.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import list from '../../kit/list-rows.module.css'
import { PageHeader, Panel } from '../../kit/panel.js'
import { Time } from '../../kit/time.js'
import { PageDiff } from './page-diff.js'
import { wholeTitle } from './page-tree.js'
import styles from './page-versions.module.css'
import { WikiLayout } from './wiki-layout.js'
import { pageAddress, pageApi, viewAddress, type WikiOwner } from './wiki-owner.js'
import { useWikiRights } from './wiki-rights.js'

interface VersionsProps {
  owner: WikiOwner
  slug: string
  view: string
}

/** The versions of a page, or what one of them changed. */
export function PageVersions({ owner, slug, view }: VersionsProps) {
  const rights = useWikiRights(owner)
  useTitle(`${view === 'diff' ? 'Changes' : 'History'} of ${wholeTitle(slug)} · Wiki · ${owner.path}`)
  return (
    <WikiLayout owner={owner} rights={rights} current={slug}>
      {() =>
        view === 'diff' ? <Changes owner={owner} slug={slug} /> : <History owner={owner} slug={slug} />
      }
    </WikiLayout>
  )
}

type PartProps = Pick<VersionsProps, 'owner' | 'slug'>

function Changes({ owner, slug }: PartProps) {
  const [search] = useSearch()
  const to = search.get('version_id')
  const from = search.get('from') ?? undefined
  if (to === null) return <NotFound isPage />
  return (
    <>
      <PageHeader
        title={`Changes of ${wholeTitle(slug)}`}
        details={
          <span>
            {from === undefined ? 'In' : `From ${from.slice(0, 8)} to`} {to.slice(0, 8)}
          </span>
        }
        actions={
          <>
            <LinkButton href={pageAddress(owner, slug, { version_id: to })}>Page at this version</LinkButton>
            <LinkButton href={viewAddress(owner, 'history', slug)}>History</LinkButton>
          </>
        }
      />
      <PageDiff owner={owner} slug={slug} from={from} to={to} />
    </>
  )
}

function History({ owner, slug }: PartProps) {
  const versions = useReadList<WikiVersion>(`${pageApi(owner, slug)}/versions?per_page=30`)
  const [latest] = versions.rows
  return (
    <>
      <PageHeader
        title={`History of ${wholeTitle(slug)}`}
        actions={<LinkButton href={pageAddress(owner, slug)}>Back to the page</LinkButton>}
      />
      <Panel isFlush>
        <ReadRows
          of={versions}
          outline={6}
          empty={<Empty icon={FileText} title="The page has no version." />}
        >
          <ul class={list['rows']} aria-label="Versions">
            {versions.rows.map((version) => (
              <Version key={version.id} owner={owner} slug={slug} version={version} latest={latest} />
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="versions" next={versions.next} />
    </>
  )
}

interface VersionProps extends PartProps {
  version: WikiVersion
  latest: WikiVersion | undefined
}

function Version({ owner, slug, version, latest }: VersionProps) {
  const { id, short_id: shortId, title, author_name: author, authored_date: date, slug: then } = version
  return (
    <li class={`${list['row']} ${styles['row']}`}>
      <div class={styles['main']}>
        <a class={list['name']} href={viewAddress(owner, 'diff', slug, { version_id: id })}>
          {title || 'No message'}
        </a>
        <div class={styles['facts']}>
          <span>{author}</span> <Time value={date} /> <code>{shortId}</code>
          {then !== null && then !== slug && <span>as {wholeTitle(then)}</span>}
        </div>
      </div>
      <span class={styles['buttons']}>
        {then !== null && (
          <LinkButton size="small" icon={FileText} href={pageAddress(owner, then, { version_id: id })}>
            View
          </LinkButton>
        )}
        {latest && latest.id !== id && (
          <LinkButton
            size="small"
            icon={GitCompareArrows}
            href={viewAddress(owner, 'diff', slug, { from: id, version_id: latest.id })}
          >
            Compare with the latest
          </LinkButton>
        )}
      </span>
    </li>
  )
}
