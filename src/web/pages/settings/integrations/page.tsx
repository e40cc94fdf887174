import { Plug } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type {
  IntegrationKind,
  ListedIntegration,
} from '../../../../coordinator/integrations/services/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Empty } from '../../../kit/empty.js'
import { Panel, Panels } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { SettingsPage } from '../settings-page.js'
import styles from './page.module.css'

/** The other services that a project works with: those that are active, and the others. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Integrations"
      details="Chat services, trackers, CI servers and mails."
      current="integrations"
      to="admin_project"
      otherwise="Maintainers and above manage the integrations of a project."
    >
      {() => <Lists project={project} />}
    </SettingsPage>
  )
}

function Lists({ project }: { project: string }) {
  const kinds = useRead<IntegrationKind[]>('/integration_kinds')
  const active = useRead<ListedIntegration[]>(`${projectApi(project)}/integrations`)
  const [search, setSearch] = useState('')
  const addressOfKind = (slug: string) => addressOf('settings/integration', { project, slug })
  return (
    <Panels>
      <Panel isFlush title="Active">
        <Read of={active}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon={Plug} title="No integration is active.">
                Choose one below: it gets the events of this project.
              </Empty>
            ) : (
              <Table<ListedIntegration>
                label="Active integrations"
                rows={rows}
                keyOf={({ slug }) => slug}
                columns={[
                  {
                    title: 'Service',
                    isMain: true,
                    cell: ({ slug, title }) => (
                      <a class={styles['service']} href={addressOfKind(slug)}>
                        {title}
                      </a>
                    ),
                  },
                  { title: 'State', cell: () => <Badge tone="success">active</Badge> },
                  {
                    title: 'Changed',
                    cell: ({ updated_at: value }) => <Time value={value} />,
                  },
                ]}
              />
            )
          }
        </Read>
      </Panel>
      <Panel
        title="Available"
        actions={
          <SearchField label="Find an integration" placeholder="Find" value={search} onSearch={setSearch} />
        }
      >
        <Read of={{ ...kinds, data: kinds.data && active.data && kinds.data }}>
          {(all) => {
            const used = new Set(active.data?.map(({ slug }) => slug))
            const shown = all
              .filter(
                ({ slug, title, discontinued }) => !used.has(slug) && !discontinued && isFound(title, search),
              )
              .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
            return shown.length === 0 ? (
              <p>No integration has this name.</p>
            ) : (
              <ul class={styles['grid']}>
                {shown.map(({ slug, title }) => (
                  <li key={slug}>
                    <a class={styles['kind']} href={addressOfKind(slug)}>
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            )
          }}
        </Read>
      </Panel>
    </Panels>
  )
}

function isFound(title: string, search: string): boolean {
  return title.toLowerCase().includes(search.trim().toLowerCase())
}
