import { Pause, Play, Plus, Server, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import type { RunnerSummary } from '../../coordinator/ci/runners/schema.js'
import { boot } from '../api/boot.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead, useReadList } from '../api/use-read.js'
import { useSearch } from '../frame/location.js'
import { notify, notifyError } from '../frame/notices.js'
import { Problem } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Badge } from '../kit/badge.js'
import { Button, IconButton } from '../kit/button.js'
import { CodeBlock } from '../kit/code-block.js'
import { ConfirmDialog, Dialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { CheckBox, Input, Select } from '../kit/field.js'
import { LoadMore } from '../kit/load-more.js'
import { Panel } from '../kit/panel.js'
import { Skeleton } from '../kit/skeleton.js'
import { Table } from '../kit/table.js'
import styles from './runners.module.css'

const TYPES: Record<string, string> = {
  instance_type: 'instance',
  group_type: 'group',
  project_type: 'project',
}

const TONES: Record<string, 'success' | 'warning' | 'failed' | 'neutral'> = {
  online: 'success',
  paused: 'warning',
  offline: 'failed',
  stale: 'failed',
}

const STATUSES = ['online', 'offline', 'stale', 'paused', 'never_contacted']

interface RunnersProps {
  /** Path of the list in the API: `/runners/all`, `/projects/5/runners` or `/groups/7/runners`. */
  path: string
  /** Parameters of `POST /user/runners` that say for what a new runner is. */
  created: Record<string, string | number> | undefined
}

/** Runners: their states, what pauses and deletes them, and how a new one is registered. */
export function Runners({ path, created }: RunnersProps) {
  const [search, setSearch] = useSearch()
  const status = search.get('status') ?? ''
  const tags = search.get('tags') ?? ''
  const list = path + queryOf({ per_page: 50, status: status || undefined, tag_list: tags || undefined })
  const { rows, result, hasMore, more } = useReadList<RunnerSummary>(list, {
    keepsPrevious: true,
    refetchInterval: 15_000,
  })
  const [isNew, setNew] = useState(false)
  const [deleted, setDeleted] = useState<RunnerSummary>()
  const pause = useAction(async (runner: RunnerSummary) => {
    await requestJson(`/runners/${runner.id}`, { method: 'PUT', body: { paused: !runner.paused } })
    await refresh(path)
  }, notifyError)
  const remove = useAction(async (id: number) => {
    await requestJson(`/runners/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The runner was deleted')
    await refresh(path)
  }, notifyError)
  const isFiltered = status !== '' || tags !== ''
  return (
    <>
      <div class={styles['tools']}>
        <Select
          label="Status"
          value={status}
          onInput={(value) => setSearch({ status: value })}
          choices={[
            { value: '', label: 'All statuses' },
            ...STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
          ]}
        />
        <Input
          label="Tags"
          placeholder="linux, gpu"
          value={tags}
          onInput={(value) => setSearch({ tags: value })}
          spellcheck={false}
        />
      </div>
      <Panel
        isFlush
        title="Runners"
        actions={
          created && (
            <Button size="small" kind="primary" icon={Plus} onClick={() => setNew(true)}>
              New runner
            </Button>
          )
        }
      >
        {result.error ? (
          <Problem error={result.error} retry={() => void result.refetch()} />
        ) : result.isPending ? (
          <Skeleton rows={4} />
        ) : rows.length === 0 ? (
          <Empty icon={Server} title={isFiltered ? 'No runner matches.' : 'There is no runner yet.'}>
            {!isFiltered && 'A runner takes jobs and runs them in containers, on this machine or on others.'}
          </Empty>
        ) : (
          <Table<RunnerSummary>
            label="Runners"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Status',
                isMain: true,
                cell: ({ status: state }) => (
                  <Badge tone={TONES[state] ?? 'neutral'}>{state.replaceAll('_', ' ')}</Badge>
                ),
              },
              {
                title: 'Runner',
                isMain: true,
                cell: ({ id, description }) => (
                  <>
                    <strong>{description || `Runner ${id}`}</strong>{' '}
                    <span class={styles['quiet']}>#{id}</span>
                  </>
                ),
              },
              { title: 'Scope', cell: ({ runner_type: type }) => TYPES[type] ?? type },
              {
                title: 'Jobs',
                cell: ({ job_execution_status: state }) => (state === 'active' ? 'busy' : 'idle'),
              },
              { title: 'Address', cell: ({ ip_address: address }) => address ?? '–' },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (runner) =>
                  created && (
                    <span class={styles['actions']}>
                      <IconButton
                        size="small"
                        icon={runner.paused ? Play : Pause}
                        label={`${runner.paused ? 'Resume' : 'Pause'} runner ${runner.id}`}
                        isBusy={pause.isBusy}
                        onClick={() => void pause.run(runner)}
                      />
                      <IconButton
                        size="small"
                        icon={Trash2}
                        label={`Delete runner ${runner.id}`}
                        onClick={() => setDeleted(runner)}
                      />
                    </span>
                  ),
              },
            ]}
          />
        )}
      </Panel>
      {hasMore && <LoadMore of="runners" isBusy={result.isFetchingNextPage} onMore={more} />}
      {isNew && created && <NewRunner path={path} created={created} onClose={() => setNew(false)} />}
      {deleted && (
        <ConfirmDialog
          title={`Delete ${deleted.description || `runner ${deleted.id}`}?`}
          action="Delete runner"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Its token becomes invalid, and it gets no more jobs.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface CreatedRunner {
  id: number
  token: string
}

function NewRunner({
  path,
  created,
  onClose,
}: {
  path: string
  created: NonNullable<RunnersProps['created']>
  onClose: () => void
}) {
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState('')
  const [untagged, setUntagged] = useState(true)
  const [runner, setRunner] = useState<CreatedRunner>()
  const create = useAction(async () => {
    const made = await requestJson<CreatedRunner>('/user/runners', {
      method: 'POST',
      body: { ...created, description, tag_list: tags, run_untagged: untagged },
    })
    setRunner(made)
    await refresh(path)
  })
  if (runner) return <Registration runner={runner} onClose={onClose} />
  return (
    <Dialog
      title="New runner"
      onClose={onClose}
      onSubmit={() => void create.run()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isBusy}>
            Create runner
          </Button>
        </>
      }
    >
      {create.error && <Alert tone="error" title={create.error.message} />}
      <Input label="Description" value={description} onInput={setDescription} autoComplete="off" />
      <Input
        label="Tags"
        value={tags}
        onInput={setTags}
        placeholder="linux, gpu"
        spellcheck={false}
        help="Jobs that name tags go only to runners that have all of them."
      />
      <CheckBox label="Runs jobs without tags" checked={untagged} onInput={setUntagged} />
    </Dialog>
  )
}

/** The command that registers a new runner; it says when the runner has connected. */
function Registration({ runner, onClose }: { runner: CreatedRunner; onClose: () => void }) {
  const { data } = useRead<RunnerSummary>(`/runners/${runner.id}`, { refetchInterval: 2000 })
  const command = `switchyard runner register --non-interactive --url ${boot.external_url} --token ${runner.token} \\
    --executor docker --docker-image alpine:3.20
switchyard runner run`
  return (
    <Dialog title="Register the runner" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <p>Run this on the build machine. The token is not shown again.</p>
      <CodeBlock text={command} label="command" />
      {data?.status === 'online' ? (
        <Alert title="The runner has connected.">From {data.ip_address}.</Alert>
      ) : (
        <p role="status">Waiting for the runner to connect…</p>
      )}
    </Dialog>
  )
}
