import type { InheritedVariable } from '../../coordinator/ci/variables/schema.js'
import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { Problem } from '../frame/problem.js'
import { Badge } from '../kit/badge.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { VariableOptions } from './variable-options.js'
import styles from './variables.module.css'

/**
 * The variables that jobs have from the instance and from groups. Without any, nothing is shown.
 * @param base path of the project or group in the API
 */
export function InheritedVariables({ base }: { base: string }) {
  const { rows, result, next } = useReadList<InheritedVariable>(`${base}/inherited_variables?per_page=50`)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0) return null
  return (
    <Panel isFlush title="Inherited variables">
      <Table<InheritedVariable>
        label="Inherited variables"
        rows={rows}
        keyOf={({ key, environment_scope: scope, group_full_path: group }) => `${group} ${key} ${scope}`}
        columns={[
          {
            title: 'Key',
            isMain: true,
            cell: ({ key, description, overridden }) => (
              <>
                <code class={styles['inherited']}>{key}</code> {overridden && <Badge>overridden</Badge>}
                {description !== null && <div class={styles['quiet']}>{description}</div>}
              </>
            ),
          },
          {
            title: 'Origin',
            cell: ({ group_name: name, group_full_path: path }) =>
              path === null ? (
                'instance'
              ) : (
                <a href={`/${path}`} title={path}>
                  {name}
                </a>
              ),
          },
          { title: 'Options', isDetail: true, cell: (variable) => <VariableOptions variable={variable} /> },
          {
            title: 'Environments',
            cell: ({ environment_scope: scope }) => (scope === '*' ? 'all' : <code>{scope}</code>),
          },
        ]}
      />
      <LoadMore of="inherited variables" next={next} />
    </Panel>
  )
}
