import { CircleCheck, CircleX, LoaderCircle } from 'lucide'
import { useEffect } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { ImportStatus } from '../../../../coordinator/hosting/projects/import/import-archive-schema.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import styles from './page.module.css'

const INTERVAL = 2000
const RUNNING = new Set(['scheduled', 'started'])
const WORDS: Record<string, string> = {
  git: 'a repository',
  gitlab_project: 'an archive',
  fork: 'another project',
}

/** The state of the import of a project, until it has ended. */
export function Page({ params: { project } }: { params: { project: string } }) {
  const path = `${projectApi(project)}/import`
  const status = useRead<ImportStatus>(path)
  const isRunning = RUNNING.has(status.data?.import_status ?? '')
  useRead(path, isRunning ? { refetchInterval: INTERVAL } : {})
  const hasEnded = status.data !== undefined && !isRunning
  useEffect(() => {
    // The record of the project says that it is being imported, too.
    if (hasEnded) void refresh(projectApi(project))
  }, [hasEnded, project])
  useTitle(`Import · ${project}`, isRunning ? 'running' : undefined)
  return (
    <>
      <PageHeader
        title="Import"
        details={
          status.data?.import_type ? `From ${WORDS[status.data.import_type] ?? 'elsewhere'}` : undefined
        }
      />
      <Read of={status}>
        {(read) => (
          <>
            <Panel isFlush>
              <Outcome project={project} status={read} />
            </Panel>
            <FailedRelations status={read} />
          </>
        )}
      </Read>
    </>
  )
}

function Outcome({ project, status }: { project: string; status: ImportStatus }) {
  const open = (
    <LinkButton kind="primary" href={addressOf('overview', { path: project })}>
      Open the project
    </LinkButton>
  )
  switch (status.import_status) {
    case 'scheduled':
      return (
        <Empty icon={LoaderCircle} title="The import will begin in a moment.">
          You can leave this page. The import continues.
        </Empty>
      )
    case 'started':
      return (
        <div class={styles['running']}>
          <Empty icon={LoaderCircle} title="The project is being imported.">
            You can leave this page. The import continues.
          </Empty>
        </div>
      )
    case 'finished':
      return <Empty icon={CircleCheck} title="The import is complete." action={open} />
    case 'failed':
      return (
        <Empty
          icon={CircleX}
          title="The import has failed."
          action={
            <>
              <LinkButton href={addressOf('projects/new', {}, {}, '#import')}>Import again</LinkButton>
            </>
          }
        >
          {status.import_error ?? 'The server does not say why.'}
        </Empty>
      )
    default:
      return <Empty title="This project was not imported." action={open} />
  }
}

function FailedRelations({ status: { failed_relations: failed } }: { status: ImportStatus }) {
  if (failed.length === 0) return null
  return (
    <Panel isFlush title="Records that could not be imported" class={styles['failed']}>
      <Table
        label="Records that could not be imported"
        rows={failed}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Kind', cell: ({ relation_name: name }) => name, isMain: true },
          { title: 'Line', cell: ({ line_number: line }) => line, isNumber: true },
          { title: 'Problem', cell: ({ exception_message: message }) => message },
        ]}
      />
    </Panel>
  )
}
