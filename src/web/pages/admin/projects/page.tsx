import { Boxes, Trash2, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { IconButton } from '../../../kit/button.js'
import { formatBytes } from '../../../kit/bytes.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { VisibilityIcon } from '../../../records/visibility.js'
import { ListTools } from '../list-tools.js'
import styles from '../lists.module.css'
import { filterNamed, FILTERS, ORDERS, projectsPath } from './project-filters.js'

/** The projects of the instance. */
export function Page() {
  useTitle('Projects')
  const [query] = useSearch()
  const filter = filterNamed(query.get('filter'))
  const search = query.get('search') ?? ''
  const order = query.get('sort') ?? ''
  const { rows, result, next } = useReadList<FullProject>(projectsPath({ filter, search, order }), {
    keepsPrevious: true,
  })
  const [deleted, setDeleted] = useState<FullProject>()
  const restore = useAction(async (project: FullProject) => {
    await requestJson(`${projectApi(project.id)}/restore`, { method: 'POST' })
    notify(`${project.path_with_namespace} is not deleted`)
    await refresh('/projects?')
  }, notifyError)
  return (
    <>
      <PageHeader title="Projects" details="All projects of this instance." />
      <Tabs
        label="Projects"
        tabs={FILTERS.map(({ value, label }) => ({
          label,
          href:
            addressOf('admin/projects', {}) +
            queryOf({ filter: value || undefined, search: search || undefined }),
          isCurrent: value === filter.value,
        }))}
      />
      <ListTools label="Find projects" orders={ORDERS} order={order} />
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={8}
          empty={<Empty icon={Boxes} title={search === '' ? filter.empty : 'No project matches.'} />}
        >
          <Table<FullProject>
            label="Projects"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Project',
                isMain: true,
                cell: ({
                  path_with_namespace: path,
                  visibility,
                  archived,
                  marked_for_deletion_on: marked,
                }) => (
                  <span class={styles['name']}>
                    <VisibilityIcon visibility={visibility} />
                    <a href={`/${path}`}>{path}</a>
                    {archived && <Badge>archived</Badge>}
                    {marked !== null && <Badge tone="failed">marked for deletion</Badge>}
                  </span>
                ),
              },
              { title: 'Size', isNumber: true, cell: (project) => <Size project={project} /> },
              { title: 'Last activity', cell: ({ last_activity_at: at }) => <Time value={at} /> },
              { title: 'Created', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
              ...(filter.value === 'marked'
                ? [
                    {
                      title: 'Marked',
                      cell: ({ marked_for_deletion_on: at }: FullProject) => <Time value={at} />,
                    },
                  ]
                : []),
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (project) => (
                  <span class={styles['actions']}>
                    {project.marked_for_deletion_on !== null && (
                      <IconButton
                        size="small"
                        icon={Undo2}
                        label={`Restore ${project.path_with_namespace}`}
                        isBusy={restore.isBusy}
                        onClick={() => void restore.run(project)}
                      />
                    )}
                    <IconButton
                      size="small"
                      icon={Trash2}
                      label={`Delete ${project.path_with_namespace}`}
                      onClick={() => setDeleted(project)}
                    />
                  </span>
                ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="projects" next={next} />
      {deleted && <DeleteProject project={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}

/** The size with its parts as a tooltip. */
function Size({ project: { statistics } }: { project: FullProject }) {
  if (!statistics) return <>–</>
  const parts = [
    ['repository', statistics.repository_size],
    ['artifacts', statistics.job_artifacts_size],
    ['Git LFS', statistics.lfs_objects_size],
    ['wiki', statistics.wiki_size],
    ['uploads', statistics.uploads_size],
    ['snippets', statistics.snippets_size],
  ] as const
  const words = parts.filter(([, size]) => size > 0).map(([name, size]) => `${name} ${formatBytes(size)}`)
  return <span title={words.join(', ')}>{formatBytes(statistics.storage_size)}</span>
}

function DeleteProject({ project, onClose }: { project: FullProject; onClose: () => void }) {
  const { path_with_namespace: path, marked_for_deletion_on: marked } = project
  const remove = useAction(async () => {
    const query = queryOf(marked === null ? {} : { permanently_remove: true, full_path: path })
    await requestJson(projectApi(project.id) + query, { method: 'DELETE' })
    onClose()
    notify(marked === null ? `${path} will be deleted` : `${path} was deleted`)
    await refresh('/projects?')
  }, notifyError)
  return (
    <ConfirmDialog
      title={`Delete ${path}?`}
      action="Delete project"
      typed={path}
      isBusy={remove.isBusy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>
        {marked === null
          ? 'Its repository, pipelines, artifacts, issues and settings are deleted. If the instance keeps deleted projects for some days, the project can be restored until then.'
          : 'The project is deleted now, and cannot be restored.'}
      </p>
    </ConfirmDialog>
  )
}
