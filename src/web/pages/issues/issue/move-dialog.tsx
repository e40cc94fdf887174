import { useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import type { SingleIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { Combobox } from '../../../kit/combobox.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { usePaused } from '../../../kit/use-paused.js'

interface MoveDialogProps {
  project: string
  path: string
  onClose: () => void
}

interface FoundProject {
  id: number
  path_with_namespace: string
  name: string
}

/** Asks where the issue goes. */
export function MoveDialog({ project, path, onClose }: MoveDialogProps) {
  const [text, setText] = useState('')
  const [target, setTarget] = useState<{ value: string; label: string }>()
  const searched = usePaused(text)
  const { data = [] } = useRead<FoundProject[]>(
    `/projects${queryOf({
      search: searched || undefined,
      search_namespaces: true,
      min_access_level: 20,
      with_issues_enabled: true,
      simple: true,
      per_page: 20,
    })}`,
    { keepsPrevious: true },
  )
  const moving = useAction(async () => {
    const moved = await requestJson<SingleIssue>(`${path}/move`, {
      method: 'POST',
      body: { to_project_id: Number(target?.value) },
    })
    navigate(moved.web_url)
  })
  return (
    <FormDialog
      title="Move to another project"
      action="Move"
      isBusy={moving.isBusy}
      error={moving.error}
      isIncomplete={!target}
      onSubmit={() => void moving.run()}
      onClose={onClose}
    >
      <Combobox
        label="Project"
        help="The issue gets a new number there. This one is closed, and leads to it."
        value={target?.value ?? ''}
        valueLabel={target?.label ?? ''}
        choices={data
          .filter(({ path_with_namespace }) => path_with_namespace !== project)
          .map(({ id, path_with_namespace }) => ({ value: String(id), label: path_with_namespace }))}
        onSearch={setText}
        onChoose={setTarget}
        none="No project found in which you are a Reporter."
      />
    </FormDialog>
  )
}
