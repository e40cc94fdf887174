import { Plus, Tag } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Topic } from '../../../../coordinator/hosting/topics/schema.js'
import { request } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Menu, MenuItem } from '../../../kit/menu.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Table } from '../../../kit/table.js'
import styles from '../lists.module.css'
import { MergeTopic, TopicDialog } from './topic-dialogs.js'

type Open = { kind: 'new' } | { kind: 'edit' | 'merge' | 'delete'; topic: Topic }

/** The topics of all projects: administrators describe, rename, merge and delete them. */
export function Page() {
  useTitle('Topics')
  const [query, setQuery] = useSearch()
  const search = query.get('search') ?? ''
  const list = useReadList<Topic>(`/topics${queryOf({ search: search || undefined, per_page: 50 })}`, {
    keepsPrevious: true,
  })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const reload = () => void refresh('/topics')
  const deleting = useAction(async (id: number) => {
    await request(`/topics/${id}`, { method: 'DELETE' })
    close()
    reload()
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Topics"
        details="Words by which projects are found."
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setOpen({ kind: 'new' })}>
            New topic
          </Button>
        }
      />
      <div class={styles['tools']}>
        <SearchField
          label="Find topics"
          placeholder="Find topics"
          value={search}
          onSearch={(text) => setQuery({ search: text || undefined })}
        />
      </div>
      <Panel isFlush>
        <ReadRows
          of={list}
          outline={6}
          empty={
            <Empty icon={Tag} title={search === '' ? 'There is no topic yet.' : 'No topic matches.'}>
              {search === '' && 'Topics that projects have appear here by themselves.'}
            </Empty>
          }
        >
          <Table<Topic>
            label="Topics"
            rows={list.rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Topic',
                isMain: true,
                cell: ({ name, title }) => (
                  <span class={styles['name']}>
                    <a href={addressOf('projects/topic', { name })}>{title}</a>
                    {title !== name && <span class={styles['quiet']}>{name}</span>}
                  </span>
                ),
              },
              {
                title: 'Projects',
                isNumber: true,
                cell: ({ total_projects_count: count }) => formatCount(count),
              },
              {
                title: 'Actions',
                hidesTitle: true,
                isMain: true,
                cell: (topic) => (
                  <Menu kind="ghost" size="small" name={`Change ${topic.title}`}>
                    <MenuItem onSelect={() => setOpen({ kind: 'edit', topic })}>Edit…</MenuItem>
                    <MenuItem onSelect={() => setOpen({ kind: 'merge', topic })}>
                      Merge into another…
                    </MenuItem>
                    <MenuItem isDangerous onSelect={() => setOpen({ kind: 'delete', topic })}>
                      Delete…
                    </MenuItem>
                  </Menu>
                ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="topics" next={list.next} />
      {(open?.kind === 'new' || open?.kind === 'edit') && (
        <TopicDialog topic={open.kind === 'edit' ? open.topic : undefined} onClose={close} onSaved={reload} />
      )}
      {open?.kind === 'merge' && <MergeTopic topic={open.topic} onClose={close} onSaved={reload} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the topic ${open.topic.title}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run(open.topic.id)}
          onClose={close}
        >
          <p>Its projects lose it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
