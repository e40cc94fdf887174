import { Variable } from 'lucide'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { PipelineVariable } from '../../../../coordinator/ci/pipelines/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Empty } from '../../../kit/empty.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { HiddenValue } from '../../../records/hidden-value.js'
import { PipelineLayout } from '../pipeline-layout.js'
import styles from './page.module.css'

/** The variables that were given when a pipeline was started. */
export function Page({ params }: { params: { project: string; id: string } }) {
  const abilities = useProjectAbilities(params.project)
  return (
    <PipelineLayout params={params} tab="variables">
      {() => (
        <Allowed
          abilities={abilities}
          to="read_pipeline_variables"
          otherwise="Developers and above see the variables of pipelines."
        >
          <Variables {...params} />
        </Allowed>
      )}
    </PipelineLayout>
  )
}

function Variables({ project, id }: { project: string; id: string }) {
  const read = useRead<PipelineVariable[]>(`${projectApi(project)}/pipelines/${id}/variables`)
  return (
    <Read of={read}>
      {(variables) =>
        variables.length === 0 ? (
          <Empty icon={Variable} title="This pipeline was started without variables.">
            Variables of the project, its groups and the CI file are not listed here.
          </Empty>
        ) : (
          <Panel isFlush>
            <Table<PipelineVariable>
              label="Variables"
              rows={variables}
              keyOf={({ key }) => key}
              columns={[
                { title: 'Key', isMain: true, cell: ({ key }) => <code>{key}</code> },
                { title: 'Value', cell: ({ key, value }) => <Value name={key} value={value} /> },
                {
                  title: 'Type',
                  cell: ({ variable_type: type }) => <Badge>{type === 'file' ? 'file' : 'variable'}</Badge>,
                },
              ]}
            />
          </Panel>
        )
      }
    </Read>
  )
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <span class={styles['value']}>
      <HiddenValue name={name} value={value} />
      <CopyButton text={value} label={`Copy the value of ${name}`} />
    </span>
  )
}
