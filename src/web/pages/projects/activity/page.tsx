import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { Activity } from '../../../records/activity.js'
import styles from '../projects.module.css'

const KINDS = [
  { name: '', label: 'All', filter: {} },
  { name: 'pushes', label: 'Pushes', filter: { action: 'pushed' } },
  { name: 'merges', label: 'Merges', filter: { action: 'merged' } },
  { name: 'issues', label: 'Issues', filter: { target_type: 'issue' } },
  { name: 'members', label: 'New members', filter: { action: 'joined' } },
]

/** What people did in a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  const [query] = useSearch()
  const kind = KINDS.find(({ name }) => name === (query.get('kind') ?? '')) ?? KINDS[0]
  useTitle(`Activity · ${project}`)
  return (
    <>
      <PageHeader title="Activity" />
      <Tabs
        label="Kinds of activity"
        tabs={KINDS.map((other) => ({
          label: other.label,
          href: addressOf('projects/activity', { project }, { kind: other.name || undefined }),
          isCurrent: other === kind,
        }))}
      />
      <Panel isFlush class={styles['panel']}>
        <Activity path={`${projectApi(project)}/events${queryOf({ ...kind?.filter })}`} hidesProject />
      </Panel>
    </>
  )
}
