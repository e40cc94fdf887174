import { Plus, Scissors } from 'lucide'

import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { ReadRows } from '../../frame/problem.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import list from '../../kit/list-rows.module.css'
import { Panel } from '../../kit/panel.js'
import { Time } from '../../kit/time.js'
import { UserLink } from '../../records/user-link.js'
import { VisibilityIcon } from '../../records/visibility.js'
import styles from './snippet-list.module.css'
import { newAddress, type SnippetProject } from './snippet-owner.js'
import { useSnippetRights } from './snippet-rights.js'

interface SnippetListProps {
  project: SnippetProject
  /** Path of the list in the API. */
  path: string
  /** In place of a list without rows. */
  empty: string
}

/** Snippets, the newest first. */
export function SnippetList({ project, path, empty }: SnippetListProps) {
  const snippets = useReadList<Snippet>(`${path}?per_page=30`)
  return (
    <>
      <Panel isFlush>
        <ReadRows
          of={snippets}
          outline={6}
          empty={
            <Empty icon={Scissors} title={empty} action={<NewSnippetButton project={project} />}>
              A snippet keeps a few files that are worth sharing, with a link of its own.
            </Empty>
          }
        >
          <ul class={list['rows']} aria-label="Snippets">
            {snippets.rows.map((snippet) => (
              <Row key={snippet.id} snippet={snippet} />
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="snippets" next={snippets.next} />
    </>
  )
}

function Row({
  snippet: { id, title, file_name: file, visibility, author, updated_at: changed, web_url: href },
}: {
  snippet: Snippet
}) {
  return (
    <li class={`${list['row']} ${styles['row']}`}>
      <VisibilityIcon visibility={visibility} />
      <div class={styles['main']}>
        <a class={list['name']} href={href}>
          {title}
        </a>
        <div class={styles['facts']}>
          <span>
            ${id} · changed <Time value={changed} />
          </span>
          <code class={styles['file']}>{file}</code>
        </div>
      </div>
      <UserLink user={author} />
    </li>
  )
}

export function NewSnippetButton({ project }: { project: SnippetProject }) {
  const { mayCreate, reason } = useSnippetRights(project)
  if (!mayCreate) return null
  return (
    <LinkButton kind="primary" icon={Plus} reason={reason} href={newAddress(project)}>
      New snippet
    </LinkButton>
  )
}
