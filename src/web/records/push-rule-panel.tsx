import { Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { SetPushRule } from '../../coordinator/hosting/push-rules/schema.js'
import { RequestError, requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { notify, notifyError } from '../frame/notices.js'
import { Problem } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Skeleton } from '../kit/skeleton.js'
import type { SettingField } from './settings-fields.js'
import { SettingsForm } from './settings-form.js'

const FIELDS: readonly SettingField[] = [
  expression('commit_message_regex', 'Commit messages must match', '^(feat|fix): '),
  expression('commit_message_negative_regex', 'Commit messages must not match', '^WIP'),
  expression('branch_name_regex', 'Names of new branches must match', '^(main|topic/.+)$'),
  expression('author_email_regex', 'Addresses of authors and committers must match', '@example\\.com$'),
  expression('file_name_regex', 'Names of added files must not match', '\\.(exe|dll)$'),
  { name: 'max_file_size', label: 'Largest file, in MB', kind: 'number', min: 0, help: '0 for no limit.' },
  { name: 'deny_delete_tag', label: 'Tags are not deleted', kind: 'check' },
  { name: 'member_check', label: 'Authors of commits are users of this instance', kind: 'check' },
  {
    name: 'commit_committer_check',
    label: 'Users push only commits that they have committed',
    help: 'The address of the committer is a confirmed one of theirs.',
    kind: 'check',
  },
  { name: 'reject_unsigned_commits', label: 'Commits are signed', kind: 'check' },
  {
    name: 'prevent_secrets',
    label: 'Files that usually hold keys or passwords are refused',
    kind: 'check',
  },
]

function expression(name: string, label: string, placeholder: string): SettingField {
  return { name, label, kind: 'text', isNullable: true, placeholder }
}

interface PushRulePanelProps {
  /** Path in the API: `/projects/5/push_rule`, `/groups/7/push_rule` or `/admin/push_rule`. */
  path: string
  title: string
  about: string
  reason?: string | undefined
}

/** The rules that pushes must obey, and what removes them all. */
export function PushRulePanel({ path, title, about, reason }: PushRulePanelProps) {
  const rule = useRead<SetPushRule>(path)
  const [isRemoving, setRemoving] = useState(false)
  const remove = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    notify('The push rules were removed')
    setRemoving(false)
    await refresh(path)
  }, notifyError)
  const isMissing = rule.error instanceof RequestError && rule.error.status === 404
  if (rule.error && !isMissing) return <Problem error={rule.error} retry={() => void rule.refetch()} />
  if (rule.isPending) return <Skeleton rows={4} />
  return (
    <>
      <SettingsForm
        title={title}
        path={path}
        method={isMissing ? 'POST' : 'PUT'}
        fields={FIELDS}
        values={isMissing ? { max_file_size: 0 } : (rule.data ?? {})}
        reason={reason}
        onSaved={() => refresh(path)}
        actions={
          !isMissing && (
            <Button size="small" icon={Trash2} reason={reason} onClick={() => setRemoving(true)}>
              Remove all rules
            </Button>
          )
        }
      >
        <p>{about}</p>
      </SettingsForm>
      {isRemoving && (
        <ConfirmDialog
          title={`Remove all ${title.slice(0, 1).toLowerCase()}${title.slice(1)}?`}
          action="Remove all rules"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setRemoving(false)}
        >
          <p>Pushes are no longer checked against any of them.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
