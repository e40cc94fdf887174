import {
  CornerLeftUp,
  Download,
  File,
  Folder,
  FolderDown,
  FolderOpen,
  PanelsTopLeft,
  Pin,
  SearchX,
  Trash2,
} from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { ArtifactTreeEntry } from '../../../../coordinator/ci/jobs/artifacts/tree-schema.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { usePagedRows } from '../../../api/use-paged-rows.js'
import { refresh } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Missing } from '../../../frame/missing.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { useJob } from '../../../job-log/use-job.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { formatBytes, formatCount } from '../../../kit/bytes.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { useEntryKeys } from '../../../kit/entry-keys.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import { Rows } from '../../../kit/rows.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Tools } from '../../../kit/tools.js'
import {
  archiveAddress,
  artifactsPath,
  folderAddress,
  folderOf,
  isWebPage,
  openAddress,
} from '../artifact-paths.js'
import { ArtifactsFrame } from '../artifacts-frame.js'
import { OpenAsPage } from '../open-as-page.js'
import styles from './page.module.css'

const ROW_HEIGHT = 40

interface PageParams {
  project: string
  id: string
  path: string
}

/** A folder of the artifacts of a job. */
export function Page({ params: { project, id, path } }: { params: PageParams }) {
  const { base, job } = useJob(project, id)
  useTitle(`Artifacts${job.data ? ` of ${job.data.name}` : ''} #${id}`)
  const folder = path.replace(/\/+$/, '')
  return (
    <ArtifactsFrame
      title="Artifacts"
      project={project}
      job={job}
      path={folder}
      actions={(record, isShown) =>
        record.artifacts_file && (
          <Actions project={project} job={record} base={base} path={folder} mayRead={isShown} />
        )
      }
    >
      {(record) => <FolderView key={folder} project={project} job={record} path={folder} />}
    </ArtifactsFrame>
  )
}

interface ActionsProps {
  project: string
  job: DetailedJob
  base: string
  path: string
  mayRead: boolean
}

function Actions({ project, job, base, path, mayRead }: ActionsProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [deletes, setDeletes] = useState(false)
  const keep = useAction(async () => {
    await requestJson(`${base}/artifacts/keep`, { method: 'POST' })
    notify('The artifacts are kept')
    await refresh(base)
  }, notifyError)
  const remove = useAction(async () => {
    await requestJson(`${base}/artifacts`, { method: 'DELETE' })
    setDeletes(false)
    notify('The artifacts were deleted')
    await refresh(base)
  }, notifyError)
  return (
    <>
      {mayRead && <OpenAsPage project={project} jobId={job.id} folder={path} />}
      {mayRead && (
        <LinkButton icon={Download} data-reload="" href={archiveAddress(project, job.id)}>
          Download all
        </LinkButton>
      )}
      {mayRead && path !== '' && (
        <LinkButton icon={FolderDown} data-reload="" href={folderAddress(project, job.id, path)}>
          Download folder
        </LinkButton>
      )}
      {job.artifacts_expire_at !== null && may('run_pipelines') && (
        <Button
          icon={Pin}
          isBusy={keep.isBusy}
          reason={reasonAgainst('run_pipelines')}
          onClick={() => void keep.run()}
        >
          Keep
        </Button>
      )}
      {may('delete_artifacts') && (
        <Button
          kind="danger"
          icon={Trash2}
          reason={reasonAgainst('delete_artifacts')}
          onClick={() => setDeletes(true)}
        >
          Delete
        </Button>
      )}
      {deletes && (
        <ConfirmDialog
          title={`Delete the artifacts of ${job.name}?`}
          action="Delete artifacts"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setDeletes(false)}
        >
          <p>
            All artifacts and reports of job #{job.id} are deleted. Jobs that need them fail when they are
            retried. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function FolderView({ project, job, path }: { project: string; job: DetailedJob; path: string }) {
  const [search, setSearch] = useSearch()
  const text = search.get('search') ?? ''
  const list = usePagedRows<ArtifactTreeEntry>(`${artifactsPath(project, job.id)}/tree`, {
    path: path || undefined,
    search: text || undefined,
  })
  useEntryKeys()
  const params = { project, id: String(job.id) }
  if (list.error) return <Problem error={list.error} retry={list.refetch} />
  const hasParent = path !== '' && text === ''
  const offset = hasParent ? 1 : 0
  return (
    <>
      <Tools class={styles['tools']}>
        <SearchField
          class={styles['search']}
          label="Filter this folder"
          placeholder="Filter this folder"
          value={text}
          onSearch={(value) => setSearch({ search: value })}
        />
        <span class={styles['count']} role="status">
          {!list.isLoading && countText(list.count, text !== '')}
        </span>
      </Tools>
      <Missing what="Some entries" failure={list.failure} />
      <Panel isFlush>
        {list.isLoading ? (
          <Skeleton rows={8} />
        ) : list.count === 0 ? (
          <NothingHere isFiltered={text !== ''} clear={() => setSearch({ search: '' })} />
        ) : (
          <Rows
            label="Artifacts"
            role="list"
            count={list.count + offset}
            rowHeight={ROW_HEIGHT}
            class={styles['rows']}
            onWindow={(first, end) => list.show(Math.max(0, first - offset), end - offset)}
            render={(index) =>
              index < offset ? (
                <div key=".." role="listitem" class={styles['row']}>
                  <Icon icon={CornerLeftUp} />
                  <a
                    class={styles['name']}
                    data-entry=""
                    aria-label="Parent folder"
                    href={addressOf('jobs/artifacts', { ...params, path: folderOf(path) })}
                  >
                    ..
                  </a>
                </div>
              ) : (
                <EntryRow key={index} params={params} entry={list.rowAt(index - offset)} />
              )
            }
          />
        )}
      </Panel>
    </>
  )
}

function countText(count: number, isFiltered: boolean): string {
  const entries = `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`
  return isFiltered ? `${entries} found` : entries
}

function EntryRow({
  params,
  entry,
}: {
  params: { project: string; id: string }
  entry: ArtifactTreeEntry | undefined
}) {
  if (!entry) {
    return (
      <div role="listitem" class={styles['row']}>
        <span class={styles['outline']} />
      </div>
    )
  }
  const { name, path, type, size, entries } = entry
  const isFolder = type === 'directory'
  const isPage = !isFolder && isWebPage(name)
  return (
    <div role="listitem" class={styles['row']}>
      <Icon
        icon={isFolder ? Folder : isPage ? PanelsTopLeft : File}
        class={styles[isFolder ? 'folder' : 'file']}
      />
      {isPage ? (
        <a
          class={styles['name']}
          data-entry=""
          title={`${name}: opens as a page in a new tab`}
          target="_blank"
          href={openAddress(params.project, Number(params.id), path)}
        >
          {name}
        </a>
      ) : (
        <a
          class={styles['name']}
          data-entry=""
          title={name}
          href={addressOf(isFolder ? 'jobs/artifacts' : 'jobs/artifact', { ...params, path })}
        >
          {name}
        </a>
      )}
      <span class={styles['inside']}>
        {entries !== undefined && countText(entries, false)}
        {isPage && (
          <a
            aria-label={`Source of ${name}`}
            href={addressOf('jobs/artifact', { ...params, path }, { view: 'source' })}
          >
            Source
          </a>
        )}
      </span>
      <span class={styles['size']}>{formatBytes(size)}</span>
    </div>
  )
}

function NothingHere({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) return <Empty icon={FolderOpen} title="This folder is empty." />
  return (
    <Empty
      icon={SearchX}
      title="No entry of this folder has this in its name."
      action={<Button onClick={clear}>Show all entries</Button>}
    />
  )
}
