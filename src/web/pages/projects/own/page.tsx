import { Boxes, Download, Plus } from 'lucide'

import { addressOf, type Query } from '../../../../addresses/address-of.js'
import { boot } from '../../../api/boot.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { ProjectList } from '../../../records/project-list.js'
import { ProjectPageActions } from '../../../records/project-page-actions.js'
import styles from '../projects.module.css'

interface OwnTab {
  name: string
  label: string
  list: string
  fixed: Query
  empty: string
}

const MEMBER: OwnTab = {
  name: '',
  label: 'Member',
  list: '/projects',
  fixed: { membership: true, archived: false },
  empty: 'You are in no project yet.',
}

const TABS: OwnTab[] = [
  MEMBER,
  {
    name: 'starred',
    label: 'Starred',
    list: '/projects',
    fixed: { starred: true },
    empty: 'You have starred no project yet.',
  },
  {
    name: 'personal',
    label: 'Personal',
    list: `/users/${boot.user?.id ?? 0}/projects`,
    fixed: {},
    empty: 'There is no project in your own namespace yet.',
  },
  {
    name: 'inactive',
    label: 'Inactive',
    list: '/projects',
    fixed: { membership: true, archived: true },
    empty: 'None of your projects is archived.',
  },
]

/** The projects of the user. */
export function Page() {
  const [query] = useSearch()
  const name = query.get('tab') ?? ''
  const tab = TABS.find((other) => other.name === name) ?? MEMBER
  useTitle('Your projects')
  return (
    <>
      <PageHeader title="Your projects" actions={<ProjectPageActions />} />
      <Tabs
        label="Your projects"
        tabs={TABS.map((other) => ({
          label: other.label,
          href: addressOf('projects/own', {}, { tab: other.name || undefined }),
          isCurrent: other === tab,
        }))}
      />
      <Panel isFlush class={styles['panel']}>
        <ProjectList
          key={tab.name}
          label={`${tab.label} projects`}
          list={tab.list}
          fixed={tab.fixed}
          empty={
            <Empty
              icon={Boxes}
              title={tab.empty}
              action={
                <>
                  <LinkButton kind="primary" icon={Plus} href={addressOf('projects/new', {})}>
                    New project
                  </LinkButton>
                  <LinkButton icon={Download} href={addressOf('projects/new', {}, {}, '#import')}>
                    Import a project
                  </LinkButton>
                </>
              }
            />
          }
        />
      </Panel>
    </>
  )
}
