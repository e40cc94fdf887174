import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { PageHeader } from '../../../kit/panel.js'
import { NewRecord } from '../../../planned/new-record.js'
import styles from '../../../planned/new-record.module.css'
import { datesBody, EpicFields } from '../epic-fields.js'

/** A form for a new epic of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`New epic · ${group}`)
  return (
    <Allowed
      abilities={useGroupAbilities(group)}
      to="manage_epics"
      title="New epic"
      otherwise="Members of the group from the Reporter role on create epics."
    >
      <NewEpic group={group} />
    </Allowed>
  )
}

function NewEpic({ group }: { group: string }) {
  const title = useDraft('title')
  const description = useDraft('description')
  const [dates, setDates] = useState({ start_date: '', due_date: '' })
  const creating = useAction(async () => {
    const epic = await requestJson<Epic>(`${groupApi(group)}/epics`, {
      method: 'POST',
      body: { title: title.text, description: description.text, ...datesBody(dates) },
    })
    title.discard()
    description.discard()
    navigate(epic.web_url)
  })
  return (
    <>
      <PageHeader title="New epic" />
      <NewRecord action={creating} side={false}>
        <EpicFields title={title} description={description} dates={dates} onDates={setDates} />
        <div class={styles['buttons']}>
          <Button kind="primary" type="submit" isBusy={creating.isBusy} disabled={title.text.trim() === ''}>
            Create epic
          </Button>
          <LinkButton href={addressOf('issues/epics', { group })}>Cancel</LinkButton>
        </div>
      </NewRecord>
    </>
  )
}
