import { useEffect, useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import { useAction } from '../api/use-action.js'
import { readOnce, useRead } from '../api/use-read.js'
import { notifyError } from '../frame/notices.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Select } from '../kit/field.js'

interface TemplateFieldProps {
  project: string
  kind: 'issues' | 'merge_requests'
  /** Name of the template that the address asks for. */
  wanted: string
  text: string
  onText: (text: string) => void
}

/**
 * Fills the description with a template of the repository: of `.gitlab/issue_templates` or
 * `.gitlab/merge_request_templates`.
 */
export function TemplateField({ project, kind, wanted, text, onText }: TemplateFieldProps) {
  const path = `${projectApi(project)}/templates/${kind}`
  const { data = [] } = useRead<{ key: string; name: string }[]>(`${path}?per_page=100`)
  const [chosen, setChosen] = useState('')
  /** The text of the last template, which may be replaced without a question. */
  const [filled, setFilled] = useState('')
  const [asks, setAsks] = useState<string>()
  const filling = useAction(async (key: string) => {
    const { content } = await readOnce<{ content: string }>(`${path}/${encodeURIComponent(key)}`)
    setChosen(key)
    setFilled(content)
    onText(content)
  }, notifyError)
  const choose = (key: string) => {
    if (key === '') setChosen('')
    else if (text.trim() === '' || text === filled) void filling.run(key)
    else setAsks(key)
  }
  useEffect(() => {
    // `Default` is for every record that asks for no other one.
    const first =
      data.find(({ key }) => key === wanted) ?? data.find(({ key }) => key.toLowerCase() === 'default')
    if (first && text === '') void filling.run(first.key)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only once, when the templates are there
  }, [data.length])
  if (data.length === 0) return null
  return (
    <>
      <Select
        label="Template"
        value={chosen}
        onInput={choose}
        choices={[
          { value: '', label: 'None' },
          ...data.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      {asks !== undefined && (
        <ConfirmDialog
          title="Replace what you have written?"
          action="Replace"
          onConfirm={() => {
            setAsks(undefined)
            void filling.run(asks)
          }}
          onClose={() => setAsks(undefined)}
        >
          <p>The template takes the place of the description.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
