import { Bell } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../../addresses/first-reads.js'
import type { GlobalSettings } from '../../../../coordinator/accounts/notification-settings/schema.js'
import type { Email } from '../../../../coordinator/accounts/users/emails/schema.js'
import type { Membership } from '../../../../coordinator/accounts/users/memberships/schema.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { patch, useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { Read, ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { Select } from '../../../kit/field.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { LevelSelect } from '../../../records/notification-level.js'
import styles from '../form.module.css'

const PATH = '/notification_settings'

/** About what the user wants mails: in general, and in single groups and projects. */
export function Page() {
  useTitle('Notifications')
  return (
    <>
      <PageHeader title="Notifications" details="About what you get mails. Changes are saved at once." />
      <Panels>
        <Panel title="Everywhere">
          <div class={styles['form']}>
            <LevelSelect path={PATH} label="Mails about" />
            <Address />
          </div>
        </Panel>
        <Memberships id={boot.user?.id} />
      </Panels>
    </>
  )
}

/** The address that the mails go to. */
function Address() {
  const settings = useRead<GlobalSettings>(PATH)
  const user = useRead<FullUser>('/user').data
  const emails = useRead<Email[]>('/user/emails').data ?? []
  const change = useAction(async (email: string) => {
    const body = { notification_email: email }
    const changed = await requestJson<GlobalSettings>(PATH, { method: 'PUT', body })
    patch<GlobalSettings>(PATH, () => changed)
  }, notifyError)
  const addresses = [
    ...(user ? [user.email] : []),
    ...emails.flatMap(({ email, confirmed_at: at }) => (at === null || email === user?.email ? [] : [email])),
  ]
  return (
    <Read of={settings}>
      {({ notification_email: current }) => (
        <Select
          label="Address"
          help={
            <>
              Addresses are added in your <a href={addressOf('account/profile', {})}>profile</a>.
            </>
          }
          value={current}
          disabled={change.isBusy}
          onInput={(email) => void change.run(email)}
          choices={[...new Set([current, ...addresses])].map((email) => ({ value: email, label: email }))}
        />
      )}
    </Read>
  )
}

/** The levels in the groups and projects of the user. */
function Memberships({ id }: { id: number | undefined }) {
  // A row reads its level, so the pages are short.
  const list = useReadList<Membership>(id === undefined ? undefined : `/users/${id}/memberships?per_page=20`)
  return (
    <Panel title="In groups and projects" isFlush>
      <ReadRows
        of={list}
        outline={4}
        empty={<Empty icon={Bell} title="You are in no group and no project." />}
      >
        <Table<Membership>
          label="Groups and projects"
          rows={list.rows}
          keyOf={({ source_type: type, source_id: source }) => `${type} ${source}`}
          columns={[
            {
              title: 'Name',
              isMain: true,
              cell: ({ source_full_path: path }) => <a href={`/${path}`}>{path}</a>,
            },
            { title: 'Kind', cell: ({ source_type: type }) => (type === 'Project' ? 'project' : 'group') },
            {
              title: 'Mails about',
              cell: ({ source_full_path: path, source_type: type, source_id: source }) => (
                <LevelSelect
                  path={`${type === 'Project' ? projectApi(source) : groupApi(source)}${PATH}`}
                  label={`Mails about ${path}`}
                  hidesLabel
                  isLocal
                />
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="memberships" next={list.next} />
    </Panel>
  )
}
