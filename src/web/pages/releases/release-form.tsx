import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { ListedCommit } from '../../../coordinator/hosting/commits/schema.js'
import type { Release } from '../../../coordinator/hosting/releases/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { useRead } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { ActionForm } from '../../kit/action-form.js'
import { Button, LinkButton } from '../../kit/button.js'
import { CheckBox, FieldGroup, Input } from '../../kit/field.js'
import { SuggestedInput } from '../../kit/suggested-input.js'
import { notesDraft, releaseBefore } from './notes-draft.js'
import styles from './release-form.module.css'
import { type LinkDraft, ReleaseLinks } from './release-links.js'
import { ReleaseNotesField } from './release-notes-field.js'

export interface ReleaseDraft {
  tag: string
  /** Where a new tag starts; undefined for a tag that exists. */
  ref: string | undefined
  tagMessage: string
  name: string
  description: string
  /** Of the form `2026-11-26T09:30` in local time; empty for now. */
  releasedAt: string
  milestones: readonly number[]
  links: readonly LinkDraft[]
}

interface ReleaseFormProps {
  project: string
  /** The release that is edited, whose tag stays as it is. */
  release?: Release
  first: ReleaseDraft
  action: string
  cancelHref: string
  /** Stores the release; a RequestError that it throws is shown in the form. */
  save: (draft: ReleaseDraft) => Promise<void>
}

interface ListedMilestone {
  id: number
  title: string
}

/** The fields of a release. */
export function ReleaseForm({ project, release, first, action, cancelHref, save }: ReleaseFormProps) {
  const [draft, setDraft] = useState(first)
  const change = (changes: Partial<ReleaseDraft>) => setDraft({ ...draft, ...changes })
  const base = projectApi(project)
  const tags = useRead<{ name: string; release: object | null }[]>(`${base}/repository/tags?per_page=100`)
  const named = useRead<{ name: string; release: object | null }[]>(
    draft.tag === '' || release
      ? undefined
      : `${base}/repository/tags${queryOf({ search: `^${draft.tag}$` })}`,
    { keepsPrevious: true },
  )
  const milestones =
    useRead<ListedMilestone[]>(`${base}/milestones?state=active&include_ancestors=true&per_page=50`).data ??
    []
  const chosen = milestonesShown(milestones, release)
  const releases = useRead<Release[]>(`${base}/releases?per_page=50&include_html_description=false`)
  const known = named.data?.find(({ name }) => name === draft.tag)
  const isNewTag = !release && draft.tag !== '' && named.data !== undefined && known === undefined
  const before = releases.data && releaseBefore(releases.data, draft.tag)
  const drafting = useAction(async () => {
    const to = isNewTag ? draft.ref : draft.tag
    const range = before ? `${before.tag_name}..${to}` : to
    const query = queryOf({ ref_name: range, per_page: 100 })
    const commits = await requestJson<ListedCommit[]>(`${base}/repository/commits${query}`)
    change({ description: draft.description + (draft.description === '' ? '' : '\n') + notesDraft(commits) })
  }, notifyError)
  const saving = useAction(async () => save({ ...draft, ref: isNewTag ? draft.ref : undefined }))
  return (
    <ActionForm action={saving} class={styles['form']}>
      {!release && (
        <div class={styles['pair']}>
          <SuggestedInput
            label="Tag"
            help={
              isNewTag ? 'A new tag, which is created with the release.' : 'A tag, or the name of a new one.'
            }
            error={known?.release ? 'This tag has a release already.' : undefined}
            value={draft.tag}
            suggestions={(tags.data ?? []).filter((tag) => tag.release === null).map(({ name }) => name)}
            onInput={(tag) => change({ tag })}
          />
          {isNewTag && (
            <Input
              label="Create the tag from"
              help="A branch or the SHA of a commit."
              value={draft.ref ?? ''}
              required
              autoComplete="off"
              spellcheck={false}
              onInput={(ref) => change({ ref })}
            />
          )}
          {isNewTag && (
            <Input
              label="Message of the tag"
              help="With a message, the tag is annotated."
              value={draft.tagMessage}
              onInput={(tagMessage) => change({ tagMessage })}
            />
          )}
        </div>
      )}
      <div class={styles['pair']}>
        <Input
          label="Title"
          value={draft.name}
          placeholder={draft.tag || 'The tag'}
          onInput={(name) => change({ name })}
        />
        <Input
          label="Date"
          type="datetime-local"
          help={release ? undefined : 'Now, if it is empty. A later one makes it an upcoming release.'}
          value={draft.releasedAt}
          onInput={(releasedAt) => change({ releasedAt })}
        />
      </div>
      <ReleaseNotesField
        project={project}
        value={draft.description}
        onInput={(description) => change({ description })}
        onDraft={draft.tag === '' ? undefined : () => void drafting.run()}
        isDrafting={drafting.isBusy}
      />
      {chosen.length > 0 && (
        <FieldGroup legend="Milestones" class={styles['group']}>
          <div class={styles['milestones']}>
            {chosen.map(({ id, title }) => (
              <CheckBox
                key={id}
                label={title}
                checked={draft.milestones.includes(id)}
                onInput={(isChosen) =>
                  change({
                    milestones: isChosen
                      ? [...draft.milestones, id]
                      : draft.milestones.filter((other) => other !== id),
                  })
                }
              />
            ))}
          </div>
        </FieldGroup>
      )}
      <ReleaseLinks links={draft.links} onChange={(links) => change({ links })} />
      <div class={styles['actions']}>
        <Button kind="primary" type="submit" isBusy={saving.isBusy}>
          {action}
        </Button>
        <LinkButton href={cancelHref}>Cancel</LinkButton>
      </div>
    </ActionForm>
  )
}

/** The milestones to choose from: the active ones, and those that the release has. */
function milestonesShown(
  active: readonly ListedMilestone[],
  release: Release | undefined,
): ListedMilestone[] {
  const byId = new Map<number, ListedMilestone>()
  for (const { id, title } of [...(release?.milestones ?? []), ...active]) byId.set(id, { id, title })
  return [...byId.values()]
}
