import type { useDraft } from '../../discussion/use-draft.js'
import { Input, TextArea } from '../../kit/field.js'

export interface EpicDates {
  start_date: string
  due_date: string
}

interface EpicFieldsProps {
  title: ReturnType<typeof useDraft>
  description: ReturnType<typeof useDraft>
  dates: EpicDates
  onDates: (dates: EpicDates) => void
}

/** The fields of an epic. */
export function EpicFields({ title, description, dates, onDates }: EpicFieldsProps) {
  return (
    <>
      <Input label="Title" value={title.text} onInput={title.setText} required autoComplete="off" />
      <TextArea
        label="Description"
        help="Markdown"
        rows={8}
        value={description.text}
        onInput={description.setText}
      />
      <Input
        label="First day"
        type="date"
        value={dates.start_date}
        onInput={(start_date) => onDates({ ...dates, start_date })}
      />
      <Input
        label="Due date"
        type="date"
        value={dates.due_date}
        onInput={(due_date) => onDates({ ...dates, due_date })}
      />
    </>
  )
}

/** The dates as the API takes them. */
export function datesBody({ start_date, due_date }: EpicDates) {
  return { start_date: start_date || null, due_date: due_date || null }
}
